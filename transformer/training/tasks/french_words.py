"""The words of the translation task: nouns, adjectives and verbs of English with all their French forms."""

from typing import NamedTuple

PEOPLE, ANIMAL, FOOD, THING, PLACE = "person", "animal", "food", "thing", "place"
LIVING = (PEOPLE, ANIMAL)
ANY = (PEOPLE, ANIMAL, FOOD, THING, PLACE)


class Noun(NamedTuple):
    one: str
    many: str
    french: tuple[str, str]  # one, many
    gender: str  # m or f
    kind: str


class Adjective(NamedTuple):
    english: tuple[str, ...]
    french: tuple[str, str, str, str]  # le, la, les (m), les (f)
    before: bool  # whether it stays in front of its noun
    of: tuple[str, ...]  # kinds of noun that it makes sense with


class Verb(NamedTuple):
    base: str
    third: str
    french: tuple[str, str, str, str]  # je, il, nous, ils
    of: tuple[str, ...] = ()  # kinds of object; none: it takes no object
    past: tuple[str, str] | None = None  # found, and trouvé, which follows avoir; None where French has two pasts


NOUNS = (
    Noun("boy", "boys", ("garçon", "garçons"), "m", PEOPLE),
    Noun("child", "children", ("enfant", "enfants"), "m", PEOPLE),
    Noun("girl", "girls", ("fille", "filles"), "f", PEOPLE),
    Noun("woman", "women", ("femme", "femmes"), "f", PEOPLE),
    Noun("cat", "cats", ("chat", "chats"), "m", ANIMAL),
    Noun("dog", "dogs", ("chien", "chiens"), "m", ANIMAL),
    Noun("bird", "birds", ("oiseau", "oiseaux"), "m", ANIMAL),
    Noun("mouse", "mice", ("souris", "souris"), "f", ANIMAL),
    Noun("bee", "bees", ("abeille", "abeilles"), "f", ANIMAL),
    Noun("cake", "cakes", ("gâteau", "gâteaux"), "m", FOOD),
    Noun("apple", "apples", ("pomme", "pommes"), "f", FOOD),
    Noun("orange", "oranges", ("orange", "oranges"), "f", FOOD),
    Noun("book", "books", ("livre", "livres"), "m", THING),
    Noun("flower", "flowers", ("fleur", "fleurs"), "f", THING),
    Noun("hat", "hats", ("chapeau", "chapeaux"), "m", THING),
    Noun("ball", "balls", ("balle", "balles"), "f", THING),
    Noun("key", "keys", ("clé", "clés"), "f", THING),
    Noun("cup", "cups", ("tasse", "tasses"), "f", THING),
    Noun("garden", "gardens", ("jardin", "jardins"), "m", PLACE),
    Noun("tree", "trees", ("arbre", "arbres"), "m", PLACE),
    Noun("house", "houses", ("maison", "maisons"), "f", PLACE),
    Noun("school", "schools", ("école", "écoles"), "f", PLACE),
)
ADJECTIVES = (
    Adjective(("little", "small"), ("petit", "petite", "petits", "petites"), True, ANY),
    Adjective(("big",), ("grand", "grande", "grands", "grandes"), True, ANY),
    Adjective(("young",), ("jeune", "jeune", "jeunes", "jeunes"), True, LIVING),
    Adjective(("black",), ("noir", "noire", "noirs", "noires"), False, (ANIMAL, THING)),
    Adjective(("white",), ("blanc", "blanche", "blancs", "blanches"), False, (ANIMAL, THING, PLACE)),
    Adjective(("red",), ("rouge", "rouge", "rouges", "rouges"), False, (FOOD, THING)),
    Adjective(("blue",), ("bleu", "bleue", "bleus", "bleues"), False, (THING,)),
    Adjective(("green",), ("vert", "verte", "verts", "vertes"), False, (FOOD, THING)),
    Adjective(("happy",), ("content", "contente", "contents", "contentes"), False, LIVING),
    Adjective(("sad",), ("triste", "triste", "tristes", "tristes"), False, LIVING),
    Adjective(("tired",), ("fatigué", "fatiguée", "fatigués", "fatiguées"), False, LIVING),
)
VERBS = (
    Verb("see", "sees", ("vois", "voit", "voyons", "voient"), ANY, ("saw", "vu")),
    Verb("like", "likes", ("aime", "aime", "aimons", "aiment"), ANY),
    Verb(
        "watch",
        "watches",
        ("regarde", "regarde", "regardons", "regardent"),
        (PEOPLE, ANIMAL, PLACE),
        ("watched", "regardé"),
    ),
    Verb("find", "finds", ("trouve", "trouve", "trouvons", "trouvent"), (*LIVING, FOOD, THING), ("found", "trouvé")),
    Verb("take", "takes", ("prends", "prend", "prenons", "prennent"), (FOOD, THING), ("took", "pris")),
    Verb("lose", "loses", ("perds", "perd", "perdons", "perdent"), (ANIMAL, THING), ("lost", "perdu")),
    Verb("help", "helps", ("aide", "aide", "aidons", "aident"), LIVING, ("helped", "aidé")),
    Verb("eat", "eats", ("mange", "mange", "mangeons", "mangent"), (FOOD,), ("ate", "mangé")),
    Verb("sleep", "sleeps", ("dors", "dort", "dormons", "dorment"), past=("slept", "dormi")),
    Verb("sing", "sings", ("chante", "chante", "chantons", "chantent"), past=("sang", "chanté")),
    Verb("play", "plays", ("joue", "joue", "jouons", "jouent"), past=("played", "joué")),
)
BE = Verb("be", "is", ("suis", "est", "sommes", "sont"))
HAVE = ("ai", "a", "avons", "ont")  # before what somebody did
NAMES = {**dict.fromkeys(("mia", "anna", "emma", "lily"), "f"), **dict.fromkeys(("tom", "ben", "max", "sam"), "m")}
PREPOSITIONS = {"in": "dans", "behind": "derrière", "under": "sous", "with": "avec"}
WHERE = {
    "in": ("garden", "house", "school", "tree"),
    "behind": ("house", "school", "tree"),
    "under": ("tree",),
    "with": tuple(noun.one for noun in NOUNS if noun.kind in LIVING),
}
# English -> French, its verb form (je, il, nous, ils), the form of an adjective (le, la, les m, les f)
PRONOUNS = {"i": ("je", 0, 0), "he": ("il", 1, 0), "she": ("elle", 1, 1), "we": ("nous", 2, 2), "they": ("ils", 3, 2)}
AM = ("am", "is", "are", "are")  # for the verb forms je, il, nous, ils
SINGULAR, PLURAL = ("the", "a", "this", "my"), ("the", "these", "my")
GRAMMAR = (
    "Its sentences: *somebody* (a name; or little, big or young, with a colour or a mood) *does*, *did*, *does not do*"
    " or *did not do* something; or *is* or *is not* something; perhaps *somewhere*. What somebody *did* was done once"
    " (*a trouvé*). *I* and *we* are men here (*je suis fatigué*), and *you* is left out: French has two right answers"
    " there, and this grammar teaches one."
)
EXAMPLES = (
    "Mia found a red hat",
    "The little black cat does not like the white house",
    "My tired child helps the sad birds",
    "This big white bee doesn't watch my mouse",
    "I am not happy",
    "The girl and the woman eat the red apples",
    "They see a little dog behind the school",
    "The little dragon eats the cake",
    "The cat is a dog",
)
SPELLED_OUT = {
    "don't": "do not",
    "doesn't": "does not",
    "didn't": "did not",
    "isn't": "is not",
    "aren't": "are not",
    "i'm": "i am",
    "he's": "he is",
    "she's": "she is",
    "we're": "we are",
    "they're": "they are",
}


def is_vowel(french: str) -> bool:
    """Whether a French word begins with a vowel, so that the word before it is shortened."""
    return french[0] in "aeiouéèê"
