"""French to English: the same grammar backwards. Pairs by hand are those of the other direction."""

from random import Random

import pytest

from tests.training.test_french import PAIRS
from transformer.training import shipped, tasks
from transformer.training.scores import exactly_right
from transformer.training.tasks import english, french_words
from transformer.training.tasks.task import is_held_out

TASK = tasks.make("english")


def test_pairs_translated_by_hand_are_read_backwards() -> None:
    for source, target in PAIRS.items():
        example = TASK.answer(english.FRENCH.cut(target))
        assert example is not None, target
        assert english.ENGLISH.decode(TASK.canonical(english.ENGLISH.encode(source))) == english.ENGLISH.decode(
            example.target
        )


@pytest.mark.slow
def test_what_translates_back_has_no_other_answer_but_little_and_small() -> None:
    rng, answers = Random(3), {}
    for _ in range(6000):
        example = TASK.draw(rng)
        answers.setdefault(example.source, set()).add(example.target)
    several = {source: targets for source, targets in answers.items() if len(targets) > 1}
    assert several
    for targets in several.values():
        for words in zip(*([english.ENGLISH.vocabulary[id] for id in ids] for ids in targets), strict=True):
            assert len(set(words)) == 1 or set(words) == {"little", "small"}


def test_every_english_word_comes_from_a_french_one() -> None:
    rng = Random(4)
    for _ in range(300):
        example = TASK.draw(rng)
        assert [i for i, _ in example.alignment] == list(range(len(example.target)))
        words = [english.ENGLISH.vocabulary[id] for id in example.target]
        from_ = [english.FRENCH.vocabulary[example.source[j]] for _, j in example.alignment]
        for word, french_word in zip(words, from_, strict=True):
            assert (word == "not") == (french_word == "pas")
            assert (word in ("do", "does")) <= (french_word in ("ne", "n'"))
            assert (word == "did") <= (french_word in ("ai", "a", "avons", "ont"))
            if word in french_words.PRONOUNS:
                assert french_word in (french_words.PRONOUNS[word][0], "j'")


def test_what_is_no_sentence_of_the_grammar_has_no_answer() -> None:
    for wrong in (
        "",
        "chat",
        "la chat dort",
        "le chat dorment",
        "le chat ne dort",
        "vous dormez",
        "le noir chat dort",
        "je aime le chat",
        "elles dorment",
        "le chat dort dort",
        "les chat dorment",
        "un gâteau mange",
        "je suis contente",
        "mia a trouvé",
        "mia trouvé un chapeau",
        "mia a un chapeau",
        "mia a trouve un chapeau",
        "mia ont trouvé un chapeau",
        "mia n'a trouvé un chapeau",
        "mia n'a pas trouvé un chapeau",
        "mia a aimé un chapeau",
        "mia est content",
        "la mia dort",
        "le le",
        "ma",
        "et",
        "pas",
    ):
        assert TASK.answer(english.FRENCH.cut(wrong)) is None, wrong
    rng = Random(5)
    for _ in range(300):
        example = TASK.draw(rng)
        other = TASK.augment(example, rng)
        assert is_held_out(other) == is_held_out(example)
        assert TASK.answer([english.FRENCH.vocabulary[id] for id in other.source]) is not None


def test_similar_nouns_keep_the_words_around_them() -> None:
    for word in english.KINDS["nouns"]:
        other = english.similar_noun(word)
        for sentence in ("le {} dort", "la {} dort", "l'{} dort", "les {} dorment"):
            if other and TASK.answer(english.FRENCH.cut(sentence.format(word))):
                assert TASK.answer(english.FRENCH.cut(sentence.format(other))), (word, other)
    assert english.similar_noun("dort") is None


@pytest.mark.slow
def test_the_shipped_model_translates_what_it_was_not_trained_on_and_is_as_small_as_the_first() -> None:
    checkpoint = shipped.load("translator-to-english")
    tests = checkpoint.task.examples(200, Random(77), held_out=True)
    assert exactly_right(checkpoint.model(), checkpoint.task, tests) >= 0.97
    sizes = [shipped.file_of(name).stat().st_size for name in ("translator-to-english", "translator")]
    assert sizes[0] < 1.01 * sizes[1]
