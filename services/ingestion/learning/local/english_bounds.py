"""Frames of what binds somebody, in English."""

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.english_frame import Frame, frame
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate
_FORBIDDEN = (
    r"(?:(?:a )?(?:strict |big |total |complete |absolute )?no[- ]go|off[- ]limits|off the (?:table"
    r"|menu)|out of (?:the question|bounds)|(?:strictly )?(?:forbidden|banned|prohibited)"
    r"|(?:very |extremely )?(?:dangerous|deadly|lethal|toxic|poison(?:ous)?)|not (?:allowed"
    r"|permitted|an option|safe)|(?:a )?(?:trigger|deal ?breaker))"
)
_ILL = (
    r"(?:swell|itch|sick|ill|sneeze|vomit|faint|wheeze|bloated|dizzy|nauseous|hives|a rash|rashes"
    r"|migraines?|heartburn|asthma|cramps|spots|headaches?|stomach|break out|come out|throw up"
    r"|puff up|jittery)"
)
_NUMBER = (
    r"(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|a dozen|twenty|thirty|fifty|half)"
)
_MONEY = r"(?:[£$€¥]\s?\d|\d[\d.,k]*\s?(?:pounds|euros?|dollars|quid|bucks|eur|usd|gbp|grand|k\b))"

BOUND_FRAMES: tuple[Frame, ...] = (
    frame(
        r"<S><BE>\s+(?:\w+ly |deathly )?(?:allergic|sensitive|anaphylactic|intolerant) to"
        r" (?P<o>.+)$",
        _P.IS_ALLERGIC_TO,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)? (?:an? )?(?:\w+ ){0,2}?(?:reactions?|allergy"
        r"|allergies|intolerance|sensitivity|aversion) to (?P<o>.+)$",
        _P.IS_ALLERGIC_TO,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)? (?:an? )(?:\w+ )?(?P<o>[\w-]+ "
        r"(?:allergy|intolerance))\b.*$",
        _P.IS_ALLERGIC_TO,
        _K.CONSTRAINT,
    ),
    frame(
        rf"(?P<o>[\w' -]{{3,30}}?) (?:makes?|gives?|brings?) <ME>\b.{{0,25}}?\b{_ILL}\b.*$",
        _P.IS_ALLERGIC_TO,
        _K.CONSTRAINT,
        confidence=0.7,
    ),
    frame(
        rf"(?P<o>[\w' -]{{3,40}}?)(?:\s+(?:is|are)|['’]s)<ADV>\s+{_FORBIDDEN} (?:for|to|with)"
        rf" <ME>$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S>(?:<BE><NOT>|(?:\s+(?:is|are)n['’]?t))\s+(?:allowed|permitted|supposed) to (?P<o>.+)$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S><BE>\s+(?:banned|forbidden|barred|prohibited) from (?P<o>.+)$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S>\s+(?:can['’]?t|cannot|can not|mustn['’]?t|must not|must never|shouldn['’]t|may not"
        r"|can no longer)\s+(?:really |even |ever )?(?P<o>(?:have|eat|drink|touch|take|tolerate"
        r"|digest"
        r"|lift|handle|carry|wear|fly|travel|be (?:near|around|in|out)|be (?:reached|disturbed)|go "
        r"(?:near|above|over|below)|exceed|spend|do (?:mornings|evenings|nights|weekends|mon|tues"
        r"|wed"
        r"|thurs|fri|sat|sun)\w*|work (?:on|after|before|past|more)|stay (?:up|past|later)|make"
        r" (?:it "
        r"(?:on|before|after)|mon|tue|wed|thu|fri|sat|sun))\b(?! (?:it|that|this|my eyes|for"
        r" granted"
        r"|away|over|credit|place|your))(?!.*\bwithout\b).+)$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    frame(
        r"(?:(?:the|our|my|one|her|his) )?(?:\w+ )?rule(?:s)?(?: \w+){0,4}? (?:is|are|says?)(?:"
        r" that)?"
        r"[: ]+(?P<o>.+)$",
        _P.REQUIRES,
        _K.CONSTRAINT,
        any_object=True,
    ),
    frame(
        r"<S>(?:<BE>|\s+can)\s+only\s+(?P<o>(?:be |do )?(?:free|available|open|around|reachable"
        r"|home|in"
        r"|\w+days?)\b.*)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S><BE>\s+(?P<o>only (?:free|available|open|around|reachable|home|in the office)\b.*)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S><BE>\s+(?P<o>(?:never |not |un)(?:free|available|reachable|around)\b.*"
        r"(?:day|morning|evening|night|week|after|before|until|noon)\w*.*)$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    frame(
        r"(?:there(?:['’]s| is)|we have|we['’]ve got|i have) (?P<o>an? (?:\w+ )?(?:cap|limit"
        r"|maximum"
        r"|minimum|ceiling|quota|curfew|threshold|ban) (?:of|on|at) .+)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        rf"<S>(?:['’]ve|['’]s|\s+(?:have|has|get|gets))(?: got)? (?P<o>(?:only |just |about"
        rf" )*{_MONEY}"
        r".{0,30}(?:\b(?:a|per|each|every|for|to spend|left|max|tops)\b).*)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        rf"<S>\s+(?:can|could)(?:n['’]?t|not)? (?:only )?(?:spend|afford|pay|go) (?P<o>(?:up to"
        rf"|at most"
        rf"|no more than|more than|above|over|{_MONEY}).+)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        rf"(?P<o>(?:no more than|at most|max(?:imum)?(?: of)?|under|not over) {_MONEY}.*)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        r"<S>\s+(?:has to|have to|must|needs? to) (?P<o>(?:be|stay|remain|leave|finish|end|arrive"
        r"|return|fit|go out|close) (?:out|in|back|done|home|under|below|within|over|quiet|on site"
        r"|finished|ready|inside|outside|there|online)?\s?.*\b(?:by|before|until|within|under|at)\b"
        r".+)$",
        _P.MUST,
        _K.CONSTRAINT,
        confidence=0.7,
    ),
)
