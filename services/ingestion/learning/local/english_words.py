"""English words by what they do in a clause: the lexicon of the English rules."""

import re


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set to look up in."""
    return frozenset(text.split())


ARE = words_of("am is are was were be been being 'm 's 're")
MODALS = words_of("will would can could must should shall may might 'll 'd")
ADVERBS = words_of(
    "always usually really just finally also mostly only still now currently already ever "
    "actually basically "
    "never often sometimes rarely seldom hardly barely almost quite very so too even recently "
    "lately officially "
    "simply generally normally typically mainly primarily totally absolutely definitely "
    "probably certainly "
    "honestly personally originally formerly previously once since then again soon today "
    "yesterday tomorrow "
    "tonight both all each apparently eventually nearly kinda sorta much more most rather "
    "pretty somewhat fully "
    "completely strongly deeply genuinely truly happily sadly luckily unfortunately first long "
    "literally either "
    "newly freshly severely mildly highly extremely slightly partly strictly proudly badly "
    "well obviously"
)
NEGATIONS = words_of("not never no n't neither hardly rarely seldom")

BEFORE_SUBJECTS = words_of(
    "and but so or because since while although though yes yeah yep yup no nope ok okay well "
    "oh hey hi hello btw fyi lol haha plus as if when whenever "
    "where that ago year years month months week weeks weekend summer winter spring autumn "
    "fall morning night evening afternoon day days today time "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december "
    "context record course guess fact why how until before after like least note also reorg "
    "default general moment"
)
OPENERS = words_of(
    "here there gonna wanna gotta been being done gone good great nice cool wow yay thanks "
    "thank congrats same such sounds glad sorry happy excited so "
    "every each any some more most other another many few several both either neither whatever "
    "whoever whenever wherever just maybe perhaps besides instead "
    "stay keep let lets definitely absolutely totally seriously lately hopefully things stuff "
    "lots tons loads plenty heaps pets guys folks kids parents congrats super way true "
    "life love work family friends music art nature time one two three"
)
SCARED = words_of(
    "scared excited tired interested worried used supposed based born bored stressed pleased "
    "thrilled amazed shocked confused concerned blessed honored"
)

IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "be": "am is are was were been being",
        "have": "has had having",
        "do": "does did done doing",
        "go": "goes went gone going",
        "become": "became",
        "begin": "began begun",
        "bite": "bit bitten",
        "blow": "blew blown",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "choose": "chose chosen",
        "come": "came",
        "cost": "cost",
        "cut": "cut",
        "draw": "drew drawn",
        "drink": "drank drunk",
        "drive": "drove driven",
        "eat": "ate eaten",
        "fall": "fell fallen",
        "feel": "felt",
        "fight": "fought",
        "find": "found",
        "fly": "flew flown",
        "forget": "forgot forgotten",
        "freeze": "froze frozen",
        "get": "got gotten",
        "give": "gave given",
        "grow": "grew grown",
        "hear": "heard",
        "hide": "hid hidden",
        "hit": "hit",
        "hold": "held",
        "hurt": "hurt",
        "keep": "kept",
        "know": "knew known",
        "lead": "led",
        "learn": "learnt learned",
        "leave": "left",
        "lend": "lent",
        "lose": "lost",
        "make": "made",
        "mean": "meant",
        "meet": "met",
        "pay": "paid",
        "put": "put",
        "quit": "quit",
        "read": "read",
        "ride": "rode ridden",
        "ring": "rang rung",
        "rise": "rose risen",
        "run": "ran",
        "say": "said",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "set": "set",
        "sing": "sang sung",
        "sit": "sat",
        "sleep": "slept",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "steal": "stole stolen",
        "swim": "swam swum",
        "take": "took taken",
        "teach": "taught",
        "tear": "tore torn",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "understand": "understood",
        "wake": "woke woken",
        "wear": "wore worn",
        "win": "won",
        "write": "wrote written",
        "break up": "",
        "split": "split",
        "marry": "married",
        "study": "studied",
        "try": "tried",
        "move": "moved",
        "spill": "spilt",
        "burn": "burnt",
        "beat": "beat beaten",
        "dream": "dreamt",
        "show": "shown",
        "shut": "shut",
        "bet": "bet",
        "let": "let",
        "bake": "baked",
        "breed": "bred",
        "dig": "dug",
        "shoot": "shot",
        "sew": "sewn",
        "swear": "swore sworn",
        "withdraw": "withdrew withdrawn",
        "stick": "stuck",
        "strike": "struck",
        "sweep": "swept",
    }.items()
    for form in forms.split()
}
# The same form is present and past: without a subject it may be an order.
SAME_IN_PAST = words_of("cut put set read hit hurt quit let shut split cost bet")

LIKE = words_of("like love enjoy adore prefer fancy favour favor appreciate relish")
DISLIKE = words_of("hate dislike detest loathe despise avoid resent mind")
CONSUME = words_of("eat drink take wear use smoke watch buy order")
WORK = words_of(
    "work teach run manage lead own direct head practise practice serve volunteer coach edit "
    "lecture"
)
LIVE = words_of("live reside stay")
STUDY = words_of("study major attend")
SKILL = words_of("speak play code sing dance program knit sew paint draw juggle")
SKILL_WHEN_ABLE = SKILL | words_of(
    "swim drive ride cook read write ski skate bake sail surf type whistle climb fly solder "
    "weld repair fix lift "
    "touch-type understand follow tell hold translate sight-read"
)
WANT = words_of("want plan hope aim intend mean need wish aspire resolve")
MENTAL = words_of(
    "think know guess believe feel say mean see wonder understand suppose hope remember forget "
    "imagine doubt notice "
    "hear reckon swear promise admit agree bet care look seem appear sound ask tell thank "
    "appreciate suggest mention "
    "worry fear assume expect try let call wait talk matter depend apologise apologize love'd "
    "figure recall confirm get "
    "check send attach paste share post write type copy click upload start keep give follow "
    "refer quote repeat"
)
RECALL = words_of("remember forget recall imagine wonder think")
REPORT = words_of(
    "say think tell ask mean mention suggest explain wonder guess believe reply answer write "
    "call text email "
    "notice feel hear see know forget remember try want need expect hope promise thank seem "
    "look appear happen "
    "like love worry assume suppose reckon doubt swear keep let get be have do figure end "
    "reply"
)
AIM = words_of("train save try plan hope aim look prepare study apply hunt learn revise")
REQUIRE = words_of("insist require demand expect need want forbid prohibit ban oblige")
LIMIT = words_of(
    "cover allow permit include limit cap close open start end run cost last expire use accept "
    "support reject take"
)
DECIDE = words_of("decide choose pick settle opt agree approve select adopt commit")
DISCOVER = words_of(
    "discover realise realize learn find figure notice establish determine work trace"
)
HAPPEN = words_of(
    "start begin end finish turn get move marry retire graduate die arrive come leave join "
    "quit win lose cry fall open close "
    "break pass fail grow return visit celebrate launch ship expire resign inherit "
    "emigrate crash land divorce adopt "
    "buy sell hire fire promote"
)
PRESENT = words_of(
    "have own keep breed collect commute travel speak teach share belong sleep wake sit stand "
    "fit suit earn pay weigh measure "
    "do make eat drink cook grow bring go come sing draw paint knit read write train meet tend "
    "rely depend handle maintain "
    "host support swim hike cycle jog row climb ski practise garden get pick know hang suffer "
    "snore worry charge ride drive "
)
VERBS = (
    LIKE
    | DISLIKE
    | CONSUME
    | WORK
    | LIVE
    | STUDY
    | SKILL_WHEN_ABLE
    | WANT
    | REQUIRE
    | LIMIT
    | DECIDE
    | DISCOVER
    | HAPPEN
    | PRESENT
    | AIM
    | frozenset(IRREGULAR.values())
)

KIN = (
    r"(?:great[- ])?(?:grand|step|god|half[- ]?|foster |ex[- ])?(?:mother|father|mum|mom|mam"
    r"|dad|daddy|mummy|parents?|sister|brother|son|daughter"
    r"|child|children|kids?|pa|ma|wife|husband|partner|spouse|fianc[ée]e?|girlfriend|boyfriend"
    r"|uncle|aunt|auntie|cousin|niece|nephew|twins?)"
    r"(?:[- ]in[- ]law)?|gran|granny|nan|nana|grandma|grandpa|granddad|in-laws|sibling|baby"
    r"|toddler|ex"
)
SOCIAL = (
    r"(?:best |old |close |good |dear )?(?:friend|mate|buddy|roommate|flatmate|housemate"
    r"|neighbou?r|colleague|co-?worker|teammate|boss|manager"
    r"|supervisor|advis[eo]r|mentor|tutor|teacher|coach|doctor|gp|dentist|therapist|physio"
    r"|lawyer|landlord|landlady|client|intern|assistant"
    r"|team ?lead|tech ?lead|cto|ceo|director|co-?founder|accountant|trainer|babysitter|nanny"
    r"|pen pal|student|apprentice|godfather|godmother"
    r"|godson|goddaughter|godchild|vet|counsellor|deputy|skip-level)"
)
PET = (
    r"(?:pet )?(?:dog|cat|puppy|kitten|rabbit|bunny|parrot|hamster|horse|pony|tortoise|turtle"
    r"|gecko|snake|goldfish|guinea pig|budgie|canary"
    r"|cockatiel|ferret|hen|labrador|retriever|poodle|terrier|collie|beagle|dachshund"
    r"|greyhound|spaniel|corgi)s?"
)
STATES = re.compile(
    r"^(?:(?:a |an )?(?:vegetarian|vegan|pescatarian|teetotal(?:ler)?|coeliac|celiac|diabetic"
    r"|asthmatic|dyslexic|autistic|pregnant|deaf|blind"
    r"|colou?r[- ]?blind|short-?sighted|near-?sighted|left-handed|right-handed|ambidextrous"
    r"|hard of hearing|hypertensive|an(?:a)?emic|epileptic"
    r"|married|single|divorced|widowed|engaged|separated|retired|unemployed|self-employed"
    r"|freelance|bilingual|trilingual|religious|an? atheist"
    r"|lactose|gluten|kosher|halal|sober|adopted|an only child|an? introvert|an? extrovert|an? "
    r"insomniac|bald|tall|short)\b"
    r"|\w+[- ]intolerant\b|intolerant\b)",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:diabetes|asthma|epilepsy|migraines?|adhd|autism|dyslexia|insomnia|arthritis|eczema"
    r"|anxiety|depression|hypertension|high blood pressure"
    r"|hay fever|c(?:o)?eliac|a bad (?:knee|back|shoulder|hip|wrist)|tinnitus|an? "
    r"(?:allergy|intolerance|pacemaker|heart condition|hearing aid)|vertigo|ibs|anemia)\b",
    re.IGNORECASE,
)
TASTES = re.compile(
    r"^(?:(?:really |quite |very |so |pretty |totally |not |more )*)(?:(?P<like>keen on|fond "
    r"of|into|crazy about|mad about|obsessed with|addicted to|partial to|hooked on"
    r"|a (?:big |huge |massive |great )?(?:fan of|sucker for|fan)|fine with|happy with"
    r"|ok(?:ay)? with)"
    r"|(?P<dislike>sick of|tired of|fed up with|scared of|afraid of|terrified of|wary of|bored "
    r"(?:of|with)|averse to))\s+(?P<o>.+)$"
    r"|^(?:more )?(?:of )?(?:a|an) (?P<person>[\w' -]{2,30}) (?:person|guy|girl|kind of "
    r"person|lover|type)\b",
    re.IGNORECASE,
)
