"""The English-to-French grammar: hand-written pairs, and rules of French written down here a second time."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.test_text import ANY, ODD
from tests.work import lines_run
from transformer.training.tasks import french, french_words, make
from transformer.training.tasks.task import is_held_out
from transformer.training.text import SPECIALS, UNKNOWN

TASK = make("french")
DRAWS = [TASK.draw(Random(seed)) for seed in range(4000)]

# Translated by hand.
PAIRS = {
    "she sings": "elle chante",
    "the cat sleeps": "le chat dort",
    "the little black cat does not like the bird": "le petit chat noir n'aime pas l'oiseau",
    "the small white mouse sees a big dog": "la petite souris blanche voit un grand chien",
    "the little mice do not sing": "les petites souris ne chantent pas",
    "i like the school": "j'aime l'école",
    "i do not like the school": "je n'aime pas l'école",
    "i help my little girl": "j'aide ma petite fille",
    "i am not tired": "je ne suis pas fatigué",
    "she is happy": "elle est contente",
    "he is not sad": "il n'est pas triste",
    "we are young": "nous sommes jeunes",
    "they are not happy": "ils ne sont pas contents",
    "the girls are tired": "les filles sont fatiguées",
    "the girl and the woman are happy": "la fille et la femme sont contentes",
    "the girl and the boy are happy": "la fille et le garçon sont contents",
    "my bee and this cat do not play": "mon abeille et ce chat ne jouent pas",
    "this child eats an apple": "cet enfant mange une pomme",
    "this little child does not eat an apple": "ce petit enfant ne mange pas de pomme",
    "these women do not find an orange": "ces femmes ne trouvent pas d'orange",
    "my orange is small": "mon orange est petite",
    "my small orange is red": "ma petite orange est rouge",
    "this bee is in the tree": "cette abeille est dans l'arbre",
    "the book is not behind the house": "le livre n'est pas derrière la maison",
    "the birds sing under the big trees": "les oiseaux chantent sous les grands arbres",
    "we eat the red apples in the garden": "nous mangeons les pommes rouges dans le jardin",
    "the happy children play with a young dog": "les enfants contents jouent avec un jeune chien",
    "i see the white flowers": "je vois les fleurs blanches",
    "we do not see my books": "nous ne voyons pas mes livres",
    "they watch the school": "ils regardent l'école",
    "i sleep with my cats": "je dors avec mes chats",
    "we sleep in a white house": "nous dormons dans une maison blanche",
    "the women help this bird": "les femmes aident cet oiseau",
    "he does not eat the cakes": "il ne mange pas les gâteaux",
    "the boys are sad in this school": "les garçons sont tristes dans cette école",
    "mia found a red hat": "mia a trouvé un chapeau rouge",
    "tom found a blue ball": "tom a trouvé une balle bleue",
    "mia took the red hat": "mia a pris le chapeau rouge",
    "mia is happy": "mia est contente",
    "tom is not tired": "tom n'est pas fatigué",
    "anna and emma are tired": "anna et emma sont fatiguées",
    "anna and tom are tired": "anna et tom sont fatigués",
    "mia and the boys are happy": "mia et les garçons sont contents",
    "mia and tom found the green cups": "mia et tom ont trouvé les tasses vertes",
    "i found a key": "j'ai trouvé une clé",
    "i did not find a key": "je n'ai pas trouvé de clé",
    "i ate an apple": "j'ai mangé une pomme",
    "she did not eat an orange": "elle n'a pas mangé d'orange",
    "we did not see anna": "nous n'avons pas vu anna",
    "we watched the birds": "nous avons regardé les oiseaux",
    "they lost the blue keys": "ils ont perdu les clés bleues",
    "he helped emma": "il a aidé emma",
    "she does not help emma": "elle n'aide pas emma",
    "i help anna": "j'aide anna",
    "the children played with max": "les enfants ont joué avec max",
    "she slept under the tree": "elle a dormi sous l'arbre",
    "the boys did not sing": "les garçons n'ont pas chanté",
    "i take the green hats": "je prends les chapeaux verts",
    "the girl takes an apple": "la fille prend une pomme",
    "we do not lose this cup": "nous ne perdons pas cette tasse",
    "they take my little blue hat": "ils prennent mon petit chapeau bleu",
    "my ball is green": "ma balle est verte",
}

M, F, S, P = "m", "f", "s", "p"
GENDERS = {
    "garçon": M,
    "enfant": M,
    "fille": F,
    "femme": F,
    "chat": M,
    "chien": M,
    "oiseau": M,
    "souris": F,
    "abeille": F,
    "gâteau": M,
    "pomme": F,
    "orange": F,
    "livre": M,
    "fleur": F,
    "chapeau": M,
    "balle": F,
    "clé": F,
    "tasse": F,
    "jardin": M,
    "arbre": M,
    "maison": F,
    "école": F,
}
PLURALS = {noun if noun == "souris" else noun + ("x" if noun.endswith("eau") else "s"): noun for noun in GENDERS}
# masculine, feminine; the plurals have an s
ADJECTIVES = [
    ("petit", "petite"),
    ("grand", "grande"),
    ("jeune", "jeune"),
    ("noir", "noire"),
    ("blanc", "blanche"),
    ("rouge", "rouge"),
    ("bleu", "bleue"),
    ("vert", "verte"),
    ("content", "contente"),
    ("triste", "triste"),
    ("fatigué", "fatiguée"),
]
IN_FRONT = {"petit", "petite", "grand", "grande", "jeune", "petits", "petites", "grands", "grandes", "jeunes"}
ONES = {
    "le": {M},
    "la": {F},
    "l'": {M, F},
    "un": {M},
    "une": {F},
    "ce": {M},
    "cet": {M},
    "cette": {F},
    "ma": {F},
    "mon": {M, F},
    "de": {M, F},
    "d'": {M, F},
}
FORMS: dict[str, set[tuple[str, str]]] = {}  # what gender and number a word of a phrase may have


def _may_be(word, *forms):
    FORMS.setdefault(word, set()).update(forms)


for word, genders in ONES.items():
    _may_be(word, *((gender, S) for gender in genders))
for word in ("les", "ces", "mes"):
    _may_be(word, (M, P), (F, P))
for noun, gender in GENDERS.items():
    _may_be(noun, (gender, S))
for noun, one in PLURALS.items():
    _may_be(noun, (GENDERS[one], P))
for masculine, feminine in ADJECTIVES:
    for gender, form in ((M, masculine), (F, feminine)):
        _may_be(form, (gender, S))
        _may_be(form + "s", (gender, P))
DETERMINERS = {*ONES, "les", "ces", "mes"}
ADJECTIVE_FORMS = {form + s for pair in ADJECTIVES for form in pair for s in ("", "s")}
VERBS = {
    "je": "suis ai vois aime regarde trouve prends perds aide mange dors chante joue",
    "il": "est a voit aime regarde trouve prend perd aide mange dort chante joue",
    "nous": "sommes avons voyons aimons regardons trouvons prenons perdons aidons mangeons dormons chantons jouons",
    "ils": "sont ont voient aiment regardent trouvent prennent perdent aident mangent dorment chantent jouent",
}
PERSONS = {person: set(forms.split()) for person, forms in VERBS.items()}
ALL_VERBS = set().union(*PERSONS.values())
HAVE = {"ai", "a", "avons", "ont"}
DONE = {
    "saw": "vu",
    "watched": "regardé",
    "found": "trouvé",
    "took": "pris",
    "lost": "perdu",
    "helped": "aidé",
    "ate": "mangé",
    "slept": "dormi",
    "sang": "chanté",
    "played": "joué",
}
NAMES = {"mia": F, "anna": F, "emma": F, "lily": F, "tom": M, "ben": M, "max": M, "sam": M}
PRONOUNS = {"je": (M, S), "j'": (M, S), "il": (M, S), "elle": (F, S), "nous": (M, P), "ils": (M, P)}
CONTENT = {
    "boy": "garçon",
    "child": "enfant",
    "girl": "fille",
    "woman": "femme",
    "cat": "chat",
    "dog": "chien",
    "bird": "oiseau",
    "mouse": "souris",
    "bee": "abeille",
    "cake": "gâteau",
    "apple": "pomme",
    "orange": "orange",
    "book": "livre",
    "flower": "fleur",
    "hat": "chapeau",
    "ball": "balle",
    "key": "clé",
    "cup": "tasse",
    "garden": "jardin",
    "tree": "arbre",
    "house": "maison",
    "school": "école",
}


def tokens(ids):
    return [TASK.target.vocabulary[id] for id in ids]


def english(example):
    return [TASK.source.vocabulary[id] for id in example.source]


def starts_with_vowel(word):
    return word[0] in "aeiouyéèêh"


def phrases(words):
    """(start, end) of every determiner with what belongs to it."""
    for start, word in enumerate(words):
        if word in DETERMINERS:
            end = start + 1
            while end < len(words) and (words[end] in ADJECTIVE_FORMS or words[end] in FORMS.keys() - DETERMINERS):
                end += 1
            yield start, end


# ---- the language -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), PAIRS.items())
def test_pairs_translated_by_hand(source, target):
    assert french.translate(source) == target


def test_everything_in_a_phrase_agrees():
    for example in DRAWS:
        words = tokens(example.target)
        for start, end in phrases(words):
            shared = set.intersection(*(FORMS[word] for word in words[start:end]))
            assert shared, words
            nouns = [word for word in words[start:end] if word in GENDERS or word in PLURALS]
            assert len(nouns) == 1, words
            place = start + words[start:end].index(nouns[0])
            assert all(word in IN_FRONT for word in words[start + 1 : place]), words
            assert not any(word in IN_FRONT for word in words[place + 1 : end]), words


def test_the_verb_and_what_is_said_of_the_subject_agree_with_it():
    for example in DRAWS:
        words = tokens(example.target)
        at = next(n for n, word in enumerate(words) if word in ALL_VERBS)
        if words[0] in PRONOUNS:
            forms, person = {PRONOUNS[words[0]]}, {"j'": "je", "elle": "il"}.get(words[0], words[0])
        else:
            parts = [set.intersection(*(FORMS[w] for w in words[a:b])) for a, b in phrases(words[:at])]
            parts += [{(NAMES[word], S)} for word in words[:at] if word in NAMES]
            genders = {gender for forms in parts for gender, _ in forms}
            number = P if len(parts) > 1 or all(n == P for forms in parts for _, n in forms) else S
            forms, person = {(M if M in genders else F, number)}, "il" if number == S else "ils"
        assert words[at] in PERSONS[person], words
        after = at + 1 + (at + 1 < len(words) and words[at + 1] == "pas")
        if words[at] in ("suis", "est", "sommes", "sont") and after < len(words) and words[after] in ADJECTIVE_FORMS:
            assert FORMS[words[after]] & forms, words


def test_words_are_cut_short_before_a_vowel_and_only_there():
    for example in DRAWS:
        for word, following in pairwise(tokens(example.target)):
            if word in ("le", "la", "ne", "je", "de", "ce", "ma"):
                assert not starts_with_vowel(following), (word, following)
            if word in ("l'", "n'", "j'", "d'", "cet"):
                assert starts_with_vowel(following), (word, following)
            if word == "mon" and GENDERS.get(following) == F:
                assert starts_with_vowel(following), (word, following)
            assert (word, following) not in {("de", "le"), ("de", "les"), ("de", "un"), ("d'", "un")}
        assert not tokens(example.target)[-1].endswith("'")


def test_not_stands_on_both_sides_of_the_verb():
    seen = 0
    for example in DRAWS:
        words, source = tokens(example.target), english(example)
        assert ("not" in source) == ("pas" in words)
        if "not" in source:
            at = words.index("pas")
            assert words[at - 1] in ALL_VERBS
            assert words[at - 2] in ("ne", "n'")
            no = source.index("not")
            assert {i for i, j in example.alignment if j == no} == {at - 2, at}
            seen += 1
    assert seen > 500


def test_what_was_done_is_two_words_made_from_one_or_from_did_and_its_verb():
    seen = set()
    for example in DRAWS:
        words, source, made_from = tokens(example.target), english(example), dict(example.alignment)
        done = [n for n, word in enumerate(words) if word in DONE.values()]
        assert len(done) == sum(word in HAVE for word in words) == sum(word in {*DONE, "did"} for word in source)
        for n in done:
            helper = n - 1 - (words[n - 1] == "pas")
            assert words[helper] in HAVE
            english_words = source[made_from[helper]], source[made_from[n]]
            if "did" in english_words:
                assert english_words[0] == "did"
                assert source[made_from[n] - 2 : made_from[n]] == ["did", "not"]
            else:
                assert english_words[0] == english_words[1]
                assert DONE[english_words[0]] == words[n]
                seen.add(english_words[0])
    assert seen == {*DONE}


def test_names_are_the_same_in_both_languages():
    seen = set()
    for example in DRAWS:
        words, source = tokens(example.target), english(example)
        assert [word for word in source if word in NAMES] == [word for word in words if word in NAMES]
        assert all((words[i] in NAMES) <= (words[i] == source[j]) for i, j in example.alignment)
        seen |= {*source} & {*NAMES}
    assert seen == {*NAMES}


def test_the_alignment_links_translations():
    singular = {"children": "child", "women": "woman", "mice": "mouse"}
    for example in DRAWS:
        words, source = tokens(example.target), english(example)
        assert [i for i, _ in example.alignment] == list(range(len(words)))  # each French word is made from one
        unused = set(range(len(source))) - {j for _, j in example.alignment}
        assert {source[j] for j in unused} <= {"do", "does"}
        for i, j in example.alignment:
            word = singular.get(source[j], source[j])
            noun = CONTENT.get(word) or CONTENT.get(word.removesuffix("s"))
            french_noun = words[i] if words[i] in GENDERS else PLURALS.get(words[i])
            assert noun == french_noun, (source[j], words[i])


def test_plural_stays_plural():
    for example in DRAWS:
        words, source = tokens(example.target), english(example)
        for i, j in example.alignment:
            if words[i] in ("les", "ces", "mes"):
                assert source[j] in ("the", "these", "my")
            if source[j] in ("a", "an"):
                assert words[i] in ("un", "une", "de", "d'")
                assert (words[i] in ("de", "d'")) <= ("not" in source)
                following = source[j + 1]
                assert (source[j] == "an") == (following[0] in "aeiou")


# ---- as a task -----------------------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.slow
def test_there_are_thousands_of_sentences_and_each_has_one_answer():
    rng = Random(7)
    answers = {}
    for _ in range(20_000):
        example = TASK.draw(rng)
        assert answers.setdefault(example.source, example.target) == example.target
    assert len(answers) > 15_000


@pytest.mark.slow
def test_what_is_drawn_is_read_back_with_the_same_answer():
    for example in DRAWS[:1500]:
        text = TASK.source.decode(example.source)
        assert TASK.source.encode(text) == list(example.source)
        translation, alignment = french.alignment_of(text)
        assert TASK.target.encode(translation) == list(example.target)
        assert TASK.target.decode(example.target) == translation
        assert alignment == example.alignment


@pytest.mark.slow
def test_augmented_sentences_stay_right_and_out_of_the_test():
    rng = Random(3)
    changed = 0
    for example in DRAWS:
        other = TASK.augment(example, rng)
        changed += other != example
        assert is_held_out(other) == is_held_out(example)
        assert len(other.source) == len(example.source) <= TASK.longest
        assert len(other.target) <= TASK.longest
        translation, alignment = french.alignment_of(TASK.source.decode(other.source))
        assert TASK.target.decode(other.target) == translation
        assert other.alignment == alignment
    assert changed > len(DRAWS) / 3


def test_a_sentence_is_drawn_at_once():
    rng = Random(0)
    assert lines_run(lambda: [TASK.draw(rng) for _ in range(300)]) / 300 < 1000  # 280 lines of Python when written


# ---- what people type ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    ["The cat doesn't sleep.", "the cat does not sleep", "  THE CAT DOESN’T SLEEP  ", "the cat does not sleep!"],
)
def test_case_signs_and_short_forms_do_not_matter(typed):
    assert TASK.source.decode(TASK.source.encode(typed)) == "the cat does not sleep"
    assert french.alignment_of(typed) == ("le chat ne dort pas", ((0, 0), (1, 1), (2, 3), (3, 4), (4, 3)))


@pytest.mark.parametrize(
    "typed", ["Le chat n’aime pas l'oiseau.", "le chat n'aime pas l'oiseau", "LE CHAT N'AIME PAS L’OISEAU"]
)
def test_french_is_cut_at_its_elisions(typed):
    ids = TASK.target.encode(typed)
    assert tokens(ids) == ["le", "chat", "n'", "aime", "pas", "l'", "oiseau"]
    assert TASK.target.decode(ids) == "le chat n'aime pas l'oiseau"


@given(st.lists(st.integers(len(SPECIALS), len(TASK.target) - 1), max_size=20))
def test_any_french_tokens_come_back(ids):
    assert TASK.target.encode(TASK.target.decode(ids)) == ids


def test_unknown_words_are_named():
    assert french.unknown("The purple cat, sees a DRAGON and a purple cat.") == ["purple", ",", "dragon"]
    assert french.unknown("the cat sleeps.") == []
    assert TASK.source.encode("a purple cat")[1] == UNKNOWN


def test_the_known_words_are_listed_once_by_kind():
    listed = [word for words in french.KINDS.values() for word in words]
    assert len(listed) == len(set(listed)) == len(TASK.source) - len(SPECIALS)
    assert "mice" in french.KINDS["nouns"]
    assert "tired" in french.KINDS["adjectives"]
    assert "did" in french.KINDS["verbs"]
    assert "mia" in french.KINDS["names"]


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "cat",
        "the cat",
        "the cat sleep",
        "the cats sleeps",
        "a apple sleeps",
        "an cat sleeps",
        "these cat sleeps",
        "the black little cat sleeps",
        "the cat does not sleeps",
        "the cat do not sleep",
        "i is happy",
        "the cat is",
        "the cat sees",
        "the cat sleeps the dog",
        "the cat sleeps in",
        "he and the cat sleep",
        "the cat does sleep",
        "the purple cat sleeps",
        "the cat sleeps sleeps",
        "this cats sleep",
        "the cat am happy",
        "a cats sleep",
        "the cat and the dog sleeps",
        "not",
        "the",
        "is happy",
        "the cat is not",
        "mia",
        "the mia sleeps",
        "mia sleep",
        "mia finds",
        "mia found",
        "mia found found a hat",
        "mia did found a hat",
        "mia did not found a hat",
        "mia did not a hat",
        "mia liked the hat",
        "mia did not like the hat",
        "mia and i sleep",
        "mia slept the hat",
        "found a hat",
    ],
)
def test_what_is_no_sentence_of_the_grammar_has_no_translation(wrong):
    assert french.alignment_of(wrong) is None
    with pytest.raises(ValueError, match="not one of the grammar"):
        french.translate(wrong)


@given(ANY | ODD | st.lists(st.sampled_from([word for words in french.KINDS.values() for word in words])).map(" ".join))
def test_any_text_can_be_typed(text):
    ids = TASK.source.encode(text)
    assert all(0 <= id < len(TASK.source) for id in ids)
    assert all(0 <= id < len(TASK.target) for id in TASK.target.encode(text))
    known = french.alignment_of(text)
    if known:
        assert UNKNOWN not in ids
        assert all(j < len(ids) for _, j in known[1])
        assert len(known[1]) == len(TASK.target.encode(known[0]))


def test_a_noun_of_the_other_gender_has_the_same_number() -> None:
    forms = {form: (noun.gender, form == noun.many) for noun in french_words.NOUNS for form in (noun.one, noun.many)}
    for word, (gender, is_plural) in forms.items():
        other = french.noun_of_other_gender(word)
        assert other is not None
        assert forms[other] == ("f" if gender == "m" else "m", is_plural)
    assert french.noun_of_other_gender("little") is None
