"""A finding that wraps moves nothing: the next press meets what stands below it where the last one did."""

import pytest

LINKS = [
    "/translation?translation_view=Ablation",
    "/translation?translation_view=Change+a+word",
    "/pretrained?pretrained_view=Lens",
    "/vision?vision_view=Cut+into+patches",
    "/finetuning?fine_view=BERT%E2%80%99s+way",
    "/beyond",
]
WRAPPED = """(finding) => {
    const below = finding.closest('.headline').nextElementSibling;
    const top = () => below.getBoundingClientRect().top;
    const box = () => finding.getBoundingClientRect();
    const lines = () => box().height / parseFloat(getComputedStyle(finding).lineHeight);
    finding.textContent = 'One line.';
    const [before, one] = [top(), lines()];
    finding.textContent = 'a sentence of a good many words that wraps, and yet it is read in two lines '.repeat(2);
    return [top() - before, Math.round(one), Math.round(lines()), box().bottom - top()];
}"""


@pytest.mark.wide
@pytest.mark.few(2)
@pytest.mark.parametrize("link", LINKS)
def test_a_finding_of_two_lines_takes_no_more_room_than_one_of_one(visit, server: str, link: str):
    page = visit(None, reduced_motion="reduce").page
    page.goto(server + link)
    finding = page.locator(".headline > .finding").first
    finding.wait_for()
    page.wait_for_timeout(500)
    moved, one, two, over = finding.evaluate(WRAPPED)
    assert (one, two) == (1, 2)
    assert abs(moved) < 0.5
    assert over <= 6, "its letters touch nothing below"


@pytest.mark.wide
def test_beside_a_picture_the_finding_has_its_two_lines_from_the_beginning(visit, server: str):
    page = visit(None, reduced_motion="reduce").page
    page.goto(server + "/vision?vision_view=Where+it+looks")
    said = page.locator(".patch-view .said")
    said.wait_for()
    answers = page.locator(".patch-view .answers")
    before = answers.bounding_box()
    said.evaluate(
        "(node) => (node.textContent = 'A sentence of two lines in the column beside the picture. '.repeat(2))"
    )
    after = answers.bounding_box()
    assert before
    assert after
    assert before["y"] == after["y"]


@pytest.mark.wide
def test_on_a_phone_the_views_of_a_page_and_the_five_lights_take_one_row(visit, server: str):
    page = visit(None, reduced_motion="reduce", viewport={"width": 390, "height": 844}).page
    for link, switch in (
        ("/translation", "switch-translation_view"),
        ("/generation", "switch-gen_view"),
        ("/pretrained?pretrained_view=Which+head%3F", "study-which-head"),
    ):
        page.goto(server + link)
        buttons = page.locator(f".st-key-{switch} [data-testid=stButtonGroup] button")
        buttons.nth(3).wait_for()
        boxes = [button.bounding_box() or {} for button in buttons.all()]
        assert len({round(box["y"]) for box in boxes}) == 1, link
        assert max(box["x"] + box["width"] for box in boxes) <= 390, link
