"""The words of the stories, by what they serve as; all in lower case, each a single word."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


BOYS = _words("""
    tom ben sam leo max jack adam alan albert alex andy anton arthur barney bill bob bruno carl charlie chris colin
    dan david dennis dick eddie elias eric felix finn frank fred gary george gus hans harry henry hugo ian igor ivan
    jacob james jim joe john jonas josh karl ken kevin lars luis luke mark martin matt mike milo moses nick noah
    oliver omar oscar otto paul pedro peter phil ralph ray rico robin ron rudi simon steve ted theo tim toby tony
    victor walter will yusuf zack ali amir andrew aaron abe axel basil bert boris brian bruce caleb cedric clark
    cyril daniel derek duncan earl edgar edward emil ernest ethan ezra fabian finley floyd gavin gordon grant harold
    hassan hector herman homer howard ivo jasper jerome jerry
""")
GIRLS = _words("""
    anna mia eva lily rosa emma ada agnes alice amy angela anita betty bella carla carmen cathy clara claire dana
    daisy diana dora ella elsa emily erika fiona flora gina grace greta hannah heidi helen ida ines iris jane jenny
    jill joan judy julia karen kate katie lara laura lea lena linda lisa lola lotte lucy luna maria marie mary maya
    meg mona nadia nancy nelly nina nora olga paula pia polly rita ruby ruth sally sara sofia sonja stella sue susan
    tara tina vera wanda wendy yara zara zoe abby agatha aisha alma amelia amina andrea annie aria astrid ava
    barbara bea becky berta bonnie camilla carol celia chloe cindy cleo cora debbie doris dorothy edith elena eliza
    ellen elvira erica esther fanny fatima felicia frida gemma gloria gwen
""")
THINGS = _words("""
    ball book hat key cup kite bell bag basket bat belt bike blanket board boat bone boot bottle bow bowl box
    bracelet brick broom brush bucket button cake camera candle cap car card carpet cart case chain chair clock
    cloth coat coin comb compass cookie crayon crown curtain cushion desk diamond dice dish doll door dress drum fan
    feather fence flag flower flute fork frame glass globe glove guitar hammer hammock handkerchief harp helmet hook
    horn jacket jar jewel jug kettle knife ladder lamp lantern leaf lemon letter lid lock magnet map marble mask mat
    medal mirror mitten mop mug nail necklace needle net newspaper notebook nut paddle pan paper pearl pen pencil
    phone photo piano picture pie pillow pin pipe plate plum pot present puppet purse puzzle quilt radio rake ribbon
    ring robe robot rocket rope rug ruler sack saddle sandal saw scarf shell shield ship shirt shoe shovel sign
    skirt sled sock sofa spade spear sponge spoon stamp statue stick stone stool suitcase sweater sword table tablet
    teapot telescope tent ticket tie torch towel toy train trumpet tshirt tyre badge balloon bandage banner barrel
    bead beaker bench bicycle binder bonnet bookmark brooch buckle bulb calendar candlestick canoe canvas cape
    cardigan carton cello chest chessboard cigar cloak club collar comic cone cork cot cradle crate crystal cube
    diary dictionary drill easel engine envelope eraser fiddle file folder football fountain funnel gem gong gown
    grill hairbrush hoodie hoop hose hourglass jersey keyboard kayak kimono lasso ladle laptop locket loom lute
    machine magazine mallet mattress microphone microscope mixer motor nest nightgown ornament package paintbrush
    parachute parcel pendulum pitcher plank postcard poster pouch printer pump pyjama radar raft raincoat razor
    recorder remote rifle rod roller rucksack sabre sandwich satchel sculpture scooter screen screw seed shawl shelf
    skate skateboard ski sleigh slide slipper
""")
COLOURS = _words("""
    red blue green yellow white black brown grey pink purple golden silver violet scarlet beige turquoise
""")
PLACES = _words("""
    garden park forest kitchen school barn attic bakery bank basement bathroom beach bedroom bus cabin cafe castle
    cave cellar church cinema circus city classroom closet corner corridor cottage court desert drawer factory farm
    field garage gym hall harbour hospital hotel house hut jungle lake library market meadow mill mountain museum
    office orchard palace pantry pond pool port prison restaurant river road roof room shed shop stable stadium
    station street studio subway swamp temple theatre tower town tunnel valley village warehouse yard zoo academy
    airport aquarium arena avenue bay bridge camp campus canal canyon chapel clinic cliff coast college dungeon
    fortress gallery garret grove hallway hill igloo inn island kiosk laboratory lane lighthouse lobby lodge mansion
    marsh mosque motel nursery oasis parlour pasture pavilion plaza porch quarry ranch reservoir sauna sea
""")
FOODS = _words("""
    apples bananas beans beef berries biscuits butter cabbage carrots cereal cheese cherries chicken chips chocolate
    coffee corn cream cucumbers dates eggs fish fruit garlic ginger grapes ham honey jam juice ketchup lemonade
    lentils lettuce melons milk mushrooms noodles nuts oats olives onions oranges pancakes pasta peaches peanuts
    pears peas pepper pickles pineapples pizza plums popcorn porridge potatoes pudding pumpkins radishes raisins
    rice salad salt sausages soup spinach strawberries sugar tea toast tomatoes tuna turkey vanilla walnuts yoghurt
""")
PLURALS = _words("""
    apples bananas beans berries birds boats books boxes boys buses cakes candles cars cats chairs children clouds
    coins cows cups dogs dolls doors ducks eggs fish flags flowers frogs girls goats hats hens horses houses keys
    kites leaves letters lions maps men mice nuts pears pencils people pigs plates rabbits rings rocks sheep shells
    ships shoes songs spoons stamps stars steps stones stories toys trains trees wheels windows women words
""")
NUMBERS = _words("""
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety
""")
ANIMALS = _words("""
    bear beaver bee beetle bird bull butterfly camel cat chick cow crab crocodile crow deer dog dolphin donkey
    dragon duck falcon fish fly fox frog giraffe goat goose gorilla hamster hare hawk hedgehog hen horse kangaroo
    kitten lamb leopard lion lizard llama lobster mole monkey moose mouse mule panda parrot peacock penguin pig
    pigeon pony puppy rabbit rat raven rooster salmon seal shark sheep skunk snail snake sparrow spider squirrel
    stork swan tiger toad turtle wasp weasel whale wolf worm yak zebra
""")
JOBS = _words("""
    baker barber butcher captain carpenter chef clerk clown coach cook dancer dentist detective diver doctor driver
    drummer fireman fisherman florist gardener guard guide hunter judge king knight lawyer librarian magician mayor
    miner monk musician nurse painter pilot pirate plumber poet policeman porter potter priest prince princess queen
    sailor scientist shepherd singer smith soldier student surgeon tailor teacher thief trader vet waiter weaver
    wizard writer
""")
LANDS = _words("""
    america austria belgium brazil canada chile china cuba denmark egypt england finland france germany ghana greece
    hungary iceland india iran ireland israel italy japan kenya korea london malta mexico nepal norway paris peru
    poland portugal rome russia scotland spain sweden syria turkey ukraine wales
""")
MOODS = _words("""
    angry anxious bored brave busy calm careful clever cold confused curious excited friendly glad grateful happy
    healthy hot hungry ill jealous late lazy lonely lost lucky nervous patient polite poor proud quiet ready rich
    rude sad safe scared serious shy sick sleepy sorry strong surprised thirsty tired unhappy warm weak wise worried
""")
QUALITIES = _words("""
    bad beautiful big bitter bright broken cheap clean cool cute damp dangerous dark deep dirty dry dusty famous
    fast fat fine fresh full funny good great hard heavy high huge kind large light little long loud lovely narrow
    new nice noisy perfect plain pretty quick rare real rough round secret sharp short simple slow small smooth soft
    special square strange sweet tall thick thin tiny blunt bumpy charming cosy crooked curly delicious dull fancy
    flat fluffy fragile giant gentle gorgeous harmless hollow jolly loose magic massive mighty modern muddy
    mysterious normal pale peaceful pleasant polished precious rusty scary shiny silent slippery smart solid sour
    spicy steep sticky strict striped sturdy tame tasty terrible tidy tough tricky valuable wet wild wonderful
    wooden wrong young
""")
PASTS = _words("""
    found bought lost made washed brought kept fixed sold cleaned dropped painted carried opened closed caught
    borrowed touched moved pushed pulled packed locked repaired used cooked lifted covered counted mended polished
    wrapped
""")  # each is its own participle
DEEDS = _words("""
    laughed smiled cried danced sang slept waited walked ran jumped shouted whispered nodded worked played rested
    listened swam dreamed sneezed coughed yawned blushed shivered hopped whistled hummed prayed talked studied
    climbed fell sat stood stopped turned wept knelt read wrote drew cooked ate drank left
""")
HOWS = _words("""
    quietly loudly happily sadly slowly quickly again alone together outside inside there here upstairs downstairs
    outdoors gladly softly suddenly once twice today
""")
WEATHERS = _words("""
    cloudy cold cool dark dry foggy freezing hot rainy snowy stormy sunny warm wet windy
""")
VERBS = _words("""
    sing dance swim run jump climb read write draw paint cook bake sleep wait walk talk listen laugh smile work play
    rest fly ride drive sail row fish hunt dig plant clean wash iron sew knit build fix mend carry lift push pull
    throw catch count add spell learn teach think dream remember forget whistle whisper shout hide seek juggle skate
    ski travel stay leave come go help win lose fight
""")
FAMILY = _words("""
    mother father sister brother aunt uncle cousin grandmother grandfather friend neighbour daughter son niece
    nephew wife husband twin boss guest
""")
SUBJECTS = _words("""
    art biology chemistry dancing drawing english french geography german history latin maths music physics poetry
    reading science singing spanish sport swimming writing chess tennis football golf hockey cricket karate yoga
    running cycling skiing painting cooking gardening fishing sailing knitting
""")
PARTS = _words("""
    arm back belly cheek chin ear elbow eye finger foot hand head heel hip knee leg lip neck nose shoulder stomach
    thumb toe tongue tooth wrist
""")
DAYS = _words("""
    monday tuesday wednesday thursday friday saturday sunday
""")
MONTHS = _words("""
    january february march april may june july august september october november december
""")
TAKES = _words("""
    took wanted liked grabbed loved remembered chose noticed forgot showed picked needed held watched sold hid
""")

PERSONS = (*BOYS, *GIRLS)
