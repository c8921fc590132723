"""What deploy/ says is true of the app, and of its other files: read as text, so it is tried wherever the tests run."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from streamlit import config

from benchmarks.proxied import make_certificates, tls_options
from lab.hooks.runtime import STREAM, UPLOAD
from lab.server import incoming
from lab.server.environment import ALL
from lab.server.headers import HEADERS

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SETTINGS = dict(
    line.split("=", 1) for line in (DEPLOY / "settings/settings.env").read_text().splitlines() if line[0] != "#"
)
PORT = SETTINGS["STREAMLIT_SERVER_PORT"]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
NGINX = (DEPLOY / "nginx/nginx.conf").read_text()
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
OVER_TLS = yaml.safe_load((DEPLOY / "compose-tls.yaml").read_text())["services"]
WITH_TRAEFIK = yaml.safe_load((DEPLOY / "compose-traefik.yaml").read_text())["services"]
TRAEFIK = yaml.safe_load((DEPLOY / "traefik/traefik.yaml").read_text())
ROUTES = yaml.safe_load((DEPLOY / "traefik/dynamic/routes.yaml").read_text())["http"]
BALANCERS = yaml.safe_load((DEPLOY / "traefik/dynamic/servers.yaml").read_text())["http"]["services"]
UNIT = (DEPLOY / "systemd/attention-lab@.service").read_text()
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())["server"]
HEALTH = "/_stcore/health"
STATE = "/var/lib/attention-lab"


def objects(*names: str) -> list[dict[str, Any]]:
    """The objects in these files for Kubernetes."""
    return [one for name in names for one in yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text())]


OBJECTS = objects(
    "base/server.yaml", "base/rooms.yaml", "base/ingress.yaml", "large/scaling.yaml", "large/trainings.yaml"
)
PODS = {
    one["metadata"]["name"]: one["spec"]["template"]["spec"] for one in OBJECTS if "template" in one.get("spec", {})
}


# ---- one set of settings -------------------------------------------------------------------------------------------


def test_every_setting_is_one_that_is_read():
    of_the_lab = {setting.name: setting for setting in ALL}
    for name, value in SETTINGS.items():
        if name in of_the_lab:
            assert of_the_lab[name].fault({name: value}) == ""
        else:
            section, _, option = name.removeprefix("STREAMLIT_").partition("_")
            camel = re.sub("_(.)", lambda found: found[1].upper(), option.lower())
            assert f"{section.lower()}.{camel}" in config._config_options_template, name


def test_however_it_is_run_it_reads_the_same_files():
    files = ["settings/settings.env", "settings/secret.env"]
    assert COMPOSE["app1"]["env_file"] == COMPOSE["app2"]["env_file"] == files
    assert re.findall("^EnvironmentFile=/srv/attention-lab/deploy/(.*)$", UNIT, re.MULTILINE) == files
    made = yaml.safe_load((DEPLOY / "settings/kustomization.yaml").read_text())
    generators = made["configMapGenerator"] + made["secretGenerator"]
    assert [f"settings/{env}" for generator in generators for env in generator["envs"]] == files
    (server,) = PODS["server"]["containers"]
    names = [next(iter(source.values()))["name"] for source in server["envFrom"]]
    assert names == [generator["name"] for generator in generators]


def test_the_secret_is_in_no_repository_and_in_no_image():
    assert "deploy/settings/secret.env" in (ROOT / ".gitignore").read_text().splitlines()
    first, *allowed = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] not in ("", "#")]
    assert first == "*"
    assert [line for line in allowed if "deploy" in line] == ["!deploy/requirements.txt"]
    assert ".streamlit/secrets.toml" in allowed


def test_one_port_and_one_folder():
    assert re.findall(r"EXPOSE (\d+)", DOCKERFILE) == re.findall(r"127\.0\.0\.1:(\d+)", DOCKERFILE) == [PORT]
    assert set(re.findall(r"^server \w+:(\d+)", (DEPLOY / "nginx/servers.conf").read_text(), re.MULTILINE)) == {PORT}
    assert PODS["server"]["containers"][0]["ports"][0]["containerPort"] == int(PORT)
    assert f"VOLUME {STATE}\n" in DOCKERFILE
    assert f"StateDirectory={Path(STATE).name}\n" in UNIT
    assert COMPOSE["app1"]["volumes"] == [f"state:{STATE}"]
    assert {"name": "state", "mountPath": STATE} in PODS["server"]["containers"][0]["volumeMounts"]
    assert {value for value in SETTINGS.values() if value.startswith("/")} == {
        f"{STATE}/snapshots",
        f"{STATE}/huggingface",
    }


# ---- the image -----------------------------------------------------------------------------------------------------


def test_the_image_has_all_that_the_app_is_made_of_and_nothing_else():
    copied = re.findall(r"^COPY (\S+) \1$", DOCKERFILE, re.MULTILINE)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    rooms = {"app.py", "attention_view", "lab", "lessons", "pages", "transformer", ".streamlit"}
    assert set(copied) == rooms
    assert {line[1:] for line in ignored if line[:1] == "!"} == rooms | {"requirements.txt", "deploy/requirements.txt"}
    assert copied.index("transformer") < copied.index("lab") < copied.index("pages"), "what changes often comes last"
    assert DOCKERFILE.index("pip install") < DOCKERFILE.index("COPY transformer")


def test_the_image_trains_with_what_the_tests_train_with():
    tested = (ROOT / "tests/requirements.txt").read_text().splitlines()
    pinned = [line for line in (DEPLOY / "requirements.txt").read_text().splitlines() if line[0] != "#"]
    assert pinned
    assert set(pinned) <= set(tested)


# ---- who may do what -----------------------------------------------------------------------------------------------


def test_nothing_runs_as_root_or_may_write_but_where_it_is_said():
    assert re.findall(r"^USER (\d+)$", DOCKERFILE, re.MULTILINE) == ["10001"]
    for name, service in COMPOSE.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "mem_limit" in service, name
    for name, pod in PODS.items():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"] is True, name
            assert container["resources"]["limits"]["memory"], name
    for line in ("User=attention-lab", "ProtectSystem=strict", "NoNewPrivileges=yes"):
        assert line in UNIT.splitlines()


def test_only_servers_reach_the_scheduler_and_the_rooms():
    """Dask runs whatever it is sent, and a Redis without a password tells all it has."""
    networks = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["networks"]
    assert networks["lab"]["internal"] is True
    assert COMPOSE["scheduler"]["networks"] == COMPOSE["worker"]["networks"] == COMPOSE["rooms"]["networks"] == ["lab"]
    assert [name for name, service in COMPOSE.items() if "ports" in service] == ["proxy"]
    policies = {one["metadata"]["name"]: one["spec"] for one in OBJECTS if one["kind"] == "NetworkPolicy"}
    assert policies["trainings"]["podSelector"]["matchExpressions"][0]["values"] == ["scheduler", "worker"]
    assert policies["rooms"]["podSelector"]["matchLabels"] == {"part": "rooms"}
    assert policies["rooms"]["ingress"] == [{"from": [{"podSelector": {"matchLabels": {"part": "server"}}}]}]
    assert all(policy["policyTypes"] == ["Ingress"] for policy in policies.values())


def test_however_it_is_run_its_servers_share_their_rooms():
    (server,), (rooms,) = (PODS[name]["containers"] for name in ("server", "rooms"))
    assert rooms["command"] == COMPOSE["rooms"]["command"]
    assert rooms["image"] == COMPOSE["rooms"]["image"]
    assert {"name": "ATTENTION_LAB_ROOMS", "value": COMPOSE["app1"]["environment"]["ATTENTION_LAB_ROOMS"]} in server[
        "env"
    ]
    assert "Environment=ATTENTION_LAB_ROOMS=redis://127.0.0.1:6379\n" in UNIT
    assert any(line.startswith("redis==") for line in (DEPLOY / "requirements.txt").read_text().splitlines())
    on_disk = rooms["command"][rooms["command"].index("--appendonly") + 1]
    assert on_disk == "yes", "a room outlives a restart"


# ---- the proxies ---------------------------------------------------------------------------------------------------


def location(path: str) -> str:
    (found,) = re.findall(rf"location (?:= )?{re.escape(path)} {{(.*?)}}", NGINX, re.DOTALL)
    return found


def test_the_proxy_knows_the_ways_of_the_app():
    assert "proxy_buffering off" in location(STREAM)
    assert "proxy_request_buffering off" in location(UPLOAD)
    assert "return 404" in location("/_stcore/metrics")
    assert HEALTH in (DEPLOY / "nginx/away.html").read_text()
    assert "error_page 502 503 504 /away.html" in NGINX


def test_the_proxy_takes_what_the_app_takes_and_little_else():
    (largest,) = re.findall(r"client_max_body_size (\d+)m", location(UPLOAD))
    assert CONFIG["maxUploadSize"] < int(largest) <= CONFIG["maxUploadSize"] + 2
    assert re.findall(r"client_max_body_size (\w+);", NGINX.split("location /")[0]) == ["64k"]
    (ingress,) = [one for one in OBJECTS if one["kind"] == "Ingress"]
    assert ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/proxy-body-size"] == f"{largest}m"


def test_the_proxy_logs_nothing_that_was_typed():
    """A link holds it, in the query."""
    (form,) = re.findall(r"log_format lab '(.*)'", NGINX)
    assert not re.search(r"\$(request|request_uri|args|query_string|http_referer|http_cookie|is_args)\b", form)
    assert "error_log stderr crit;" in NGINX


def test_every_server_of_compose_is_one_of_the_proxys():
    servers = re.findall(r"^server (\w+):", (DEPLOY / "nginx/servers.conf").read_text(), re.MULTILINE)
    assert servers == [name for name in COMPOSE if name.startswith("app")]
    addresses = [COMPOSE[name]["networks"]["lab"]["ipv4_address"] for name in servers]
    assert len(set(addresses)) == len(addresses)
    jobs = yaml.safe_load((DEPLOY / "prometheus.yaml").read_text())["scrape_configs"]
    assert jobs[0]["static_configs"][0]["targets"] == [f"{name}:{PORT}" for name in servers]


def test_answers_of_the_proxy_itself_have_the_headers_of_the_app():
    sent = (DEPLOY / "nginx/headers.conf").read_text()
    for name, value in HEADERS.items():
        variable = name.replace("-", "_")
        assert f'map $upstream_http_{variable} ${variable} {{ "" "{value}"; default ""; }}' in NGINX
        assert f"add_header {name.title()} ${variable} always;" in sent.splitlines()


def test_the_page_for_when_it_is_away_needs_nothing_from_anywhere():
    page = (DEPLOY / "nginx/away.html").read_text()
    assert not re.search(r"https?:|src=|@import|url\(", page)
    assert '<html lang="en">' in page


# ---- Traefik, in place of nginx ------------------------------------------------------------------------------------


def test_traefik_has_the_servers_and_the_limits_of_nginx():
    urls = [server["url"] for server in BALANCERS["lab"]["loadBalancer"]["servers"]]
    named = re.findall(r"^server (\S+)", (DEPLOY / "nginx/servers.conf").read_text(), re.MULTILINE)
    assert urls == [f"http://{server}" for server in named]
    lab, limits = BALANCERS["lab"]["loadBalancer"], ROUTES["middlewares"]
    assert f"map $cookie_{lab['sticky']['cookie']['name']} " in NGINX
    assert lab["healthCheck"]["path"] == HEALTH
    assert f"rate={limits['requests']['rateLimit']['average']}r/s" in NGINX
    assert f"burst={limits['requests']['rateLimit']['burst']} " in NGINX
    assert f"limit_conn connections {limits['connections']['inFlightReq']['amount']};" in NGINX
    assert f"client_max_body_size {limits['small']['buffering']['maxRequestBodyBytes'] >> 10}k;" in NGINX


def test_traefik_knows_the_ways_of_the_app():
    routers, middlewares = ROUTES["routers"], ROUTES["middlewares"]
    assert routers["files"]["rule"] == f"PathPrefix(`{UPLOAD}`)"
    assert routers["files"]["middlewares"] == ["guarded"], "a file is neither collected nor sent again"
    assert routers["metrics"]["rule"] == "Path(`/_stcore/metrics`)"
    assert routers["metrics"]["middlewares"] == ["guarded", "nobody"]
    assert all(router["middlewares"][0] == "guarded" for router in routers.values())
    sent = middlewares["headers"]["headers"]["customResponseHeaders"]
    assert {name.lower(): value for name, value in sent.items()} == HEADERS
    longest = incoming.PATIENCE + CONFIG["maxUploadSize"] * 2**20 / incoming.MIN_PACE
    for point in TRAEFIK["entryPoints"].values():
        assert int(point["transport"]["respondingTimeouts"]["readTimeout"][:-1]) >= longest


def test_traefik_logs_nothing_that_was_typed():
    """What it calls a path holds the query, and below `fatal` its own log has whole addresses."""
    assert TRAEFIK["log"]["level"] == "FATAL"
    fields = TRAEFIK["accessLog"]["fields"]
    assert fields["defaultMode"] == fields["headers"]["defaultMode"] == "drop"
    assert not re.search("Path|Line|Addr|Host|Username", " ".join(fields["names"]))
    assert not any(TRAEFIK["global"].values()), "it tells nobody of itself"


def test_what_is_laid_over_compose_fits_it():
    proxy, away = WITH_TRAEFIK["proxy"], WITH_TRAEFIK["away"]
    ports = {port.split(":")[1] for port in COMPOSE["proxy"]["ports"] + proxy["ports"]}
    assert {f":{port}" for port in ports} == {point["address"] for point in TRAEFIK["entryPoints"].values()}
    assert away["image"] == COMPOSE["app1"]["image"]
    assert (away["read_only"], away["cap_drop"]) == (True, ["ALL"])
    (url,) = [server["url"] for server in BALANCERS["away"]["loadBalancer"]["servers"]]
    assert url == f"http://away:{away['command'][3]}"
    for name in ("app1", "app2"):
        assert OVER_TLS[name]["environment"].keys() <= {setting.name for setting in ALL}
    assert OVER_TLS.keys() <= COMPOSE.keys()


def test_over_tls_is_what_was_without_it_and_certificates():
    shown = tls_options(Path("/cluster"))
    (folder,) = {volume for service in OVER_TLS.values() for volume in service["volumes"]}
    assert folder == "./settings/cluster:/cluster:ro"
    assert "deploy/settings/cluster/" in (ROOT / ".gitignore").read_text().splitlines()
    for name in ("scheduler", "worker"):
        plain = [word.replace("tcp://", "tls://") for word in COMPOSE[name]["command"]]
        plain = [f"tls://{word}" if word == "0.0.0.0" else word for word in plain]
        assert OVER_TLS[name]["command"] == plain + shown
    assert OVER_TLS["app1"]["environment"]["ATTENTION_LAB_SCHEDULER"] == OVER_TLS["worker"]["command"][2]


# ---- Kubernetes ----------------------------------------------------------------------------------------------------


def test_every_probe_asks_what_the_app_answers():
    (server,) = PODS["server"]["containers"]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert server[probe]["httpGet"] == {"path": HEALTH, "port": "http"}
    assert server["livenessProbe"]["failureThreshold"] * server["livenessProbe"]["periodSeconds"] >= 60


def test_the_cluster_is_of_the_same_image():
    images = {pod["containers"][0]["image"] for name, pod in PODS.items() if name != "rooms"}
    others = ("proxy", "rooms")
    assert images == {"attention-lab"} == {COMPOSE[name]["image"] for name in COMPOSE if name not in others}


def test_over_tls_it_runs_what_containers_run_over_tls():
    made = yaml.safe_load((DEPLOY / "kubernetes/tls/kustomization.yaml").read_text())
    patches = [(one.get("target", {}).get("name"), yaml.safe_load(one["patch"])) for one in made["patches"]]
    operations = {(name, op["path"]): op["value"] for name, ops in patches if name for op in ops}
    container = "/spec/template/spec/containers/0"
    for name in ("scheduler", "worker"):
        assert operations[name, f"{container}/command"] == OVER_TLS[name]["command"]
    everybody = "server|scheduler|worker"
    assert operations[everybody, f"{container}/volumeMounts/-"]["mountPath"] == "/cluster"
    (secret,) = made["secretGenerator"]
    assert operations[everybody, "/spec/template/spec/volumes/-"]["secret"] == {"secretName": secret["name"]}
    ((server, env),) = [
        (one["name"], one["env"])
        for name, patch in patches
        if name is None
        for one in patch["spec"]["template"]["spec"]["containers"]
    ]
    assert server == PODS["server"]["containers"][0]["name"]
    assert {one["name"]: one["value"] for one in env} == OVER_TLS["app1"]["environment"]
    assert "deploy/kubernetes/tls/*.pem" in (ROOT / ".gitignore").read_text().splitlines()


@pytest.mark.skipif(not (shutil.which("kubectl") and shutil.which("openssl")), reason="kubectl and openssl build it")
@pytest.mark.parametrize("overlay", ["small", "large", "tls"])
def test_kubectl_builds_every_overlay(overlay: str, tmp_path: Path):
    """With what an operator makes first, the secret and the certificates. Each name that is referred to is there."""
    copy = shutil.copytree(DEPLOY, tmp_path / "deploy")
    (copy / "settings/secret.env").write_text("STREAMLIT_SERVER_COOKIE_SECRET=1234\n")
    make_certificates(copy / "kubernetes/tls")
    made = subprocess.run(
        ["kubectl", "kustomize", copy / "kubernetes" / overlay], capture_output=True, text=True, check=True
    )
    built = [one for one in yaml.safe_load_all(made.stdout) if one]
    names = {(one["kind"], one["metadata"]["name"]) for one in built}
    pods = [one["spec"]["template"]["spec"] for one in built if "template" in one.get("spec", {})]
    assert {one["kind"] for one in built} >= {"Deployment", "StatefulSet", "Service", "Ingress", "PodDisruptionBudget"}
    volumes = [volume for pod in pods for volume in pod.get("volumes", [])]
    secrets = {volume["secret"]["secretName"] for volume in volumes if "secret" in volume}
    sources = [source for pod in pods for source in pod["containers"][0].get("envFrom", [])]
    secrets |= {source["secretRef"]["name"] for source in sources if "secretRef" in source}
    assert len(secrets) == (2 if overlay == "tls" else 1)
    assert {("Secret", secret) for secret in secrets} <= names
    assert {one["metadata"].get("namespace") for one in built} <= {"attention-lab", None}


def test_it_grows_by_a_number_that_streamlit_gives():
    from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY

    (scaler,) = [one["spec"] for one in OBJECTS if one["kind"] == "HorizontalPodAutoscaler"]
    assert scaler["metrics"][0]["pods"]["metric"]["name"] == ACTIVE_SESSIONS_FAMILY


@pytest.mark.parametrize("file", sorted(DEPLOY.rglob("*.y*ml")), ids=lambda file: file.name)
def test_no_file_is_long(file: Path):
    assert file.read_text().count("\n") <= 110
