"""Frames of what somebody likes, and what they do not, in English."""

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.english_frame import Frame, frame
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate
_VERY = (
    r"(?:(?:a |an |the )?(?:really|very|quite|huge|big|massive|great|such|pretty|fairly|not|no|so"
    r"|not very|actually|hugely|total) )*"
)
_BAD = (
    r"(?:irritating|annoying|boring|dull|tedious|unbearable|disgusting|revolting|exhausting|gross"
    r"|confusing|depressing|overrated|too \w+|stressful|awful|ugly|vile|creepy|distracting)"
)
_GOOD = (
    r"(?:relaxing|fascinating|soothing|calming|delicious|comforting|exciting|brilliant|lovely"
    r"|beautiful|therapeutic|addictive|inspiring|fun)"
)
TASTE_FRAMES: tuple[Frame, ...] = (
    frame(
        r"(?:<S><BE>\s+)?(?:not|no|never been)(?: really| exactly)? (?:(?:a|an|much of a) )?"
        r"(?:big |huge |great )?(?:fan|lover|friend) of (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?:a |the )?(?:really |very )?(?:big|huge|massive|great|lifelong|total"
        r"|real) "
        r"(?:fan of|lover of|believer in|sucker for) (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?) (?:leaves?|left) <ME> cold$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?) (?:does|do) (?:nothing for (?P<s>me|us|him|her)|my head in)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?) (?:drives? me (?:mad|crazy|nuts|insane|up the wall)|gets? on my"
        r" nerves"
        r"|puts? me off|bores? me\b.*|stress(?:es)? me out|annoys? me\b.*|makes? me cringe)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?)(?:['’]s| is| are| was)(?: just| really)?(?: not|n['’]?t) (?:really "
        r"|exactly )?(?:(?:for|to) (?P<s>me|us|him|her)|my (?:thing|cup of tea|style|taste|jam"
        r"|idea of "
        r"fun))\b.*$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?) (?:isn['’]?t|aren['’]?t) (?:really |exactly )?(?:for (?P<s>me|us"
        r"|him"
        r"|her)|my (?:thing|cup of tea|style|taste|jam|idea of fun))\b.*$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?:my|our) (?:thing|jam|go-to(?: \w+){0,2}|guilty pleasure|comfort (?:food|read)|drink"
        r" of "
        r"choice|\w+ of choice|pet hate|weakness|passion|poison)(?:['’]s| is| are| has always"
        r" been) "
        r"(?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?)(?:['’]s| is| are) (?:totally |so |really )?my (?:thing|jam"
        r"|go-to\b.*|guilty pleasure"
        r"|weakness|passion|comfort food|happy place|kind of \w+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,40}?)(?:['’]s| is| are) (?:what|the one thing|all) (?:i|we) (?:\w+"
        r" )?(?:listen to|read|watch"
        r"|eat|drink|play|wear|cook|order|use|like|love|enjoy|crave)\b.*$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"give me (?P<o>.+? over .+?)(?: any ?(?:day|time)\b.*|$)",
        _P.PREFERS,
        _K.PREFERENCE,
    ),
    frame(
        r"<S> (?:could|can) (?:happily )?(?:live on|eat|listen to|watch|spend (?:all day|hours) "
        r"(?:in|at|on|with)) (?P<o>[^?]+?)(?: all day| every day| forever| for hours| for ever)?$",
        _P.LIKES,
        _K.PREFERENCE,
        confidence=0.65,
    ),
    frame(
        r"<S> (?:can['’]?t|cannot|can not|could(?:n['’]?t| not)|can never|could never) (?:really"
        r" )?(?:get enough of|do "
        r"without|live without|resist|start (?:the|my|a) day without|go a day without|function "
        r"without|say no to) (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S> (?:can['’]?t|cannot|can not|could never|never could) (?:really |quite )?(?:stand"
        r"|bear|abide|stomach|tolerate"
        r"|face|get into|warm to|get on with|be doing with) (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?:for me )?(?:nothing|you can['’]?t) (?:beats?|compares? to|comes close to|tops)"
        r" (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
        confidence=0.7,
    ),
    frame(rf"<S><ADV>\s+finds? (?P<o>[\w' -]+?) {_VERY}{_BAD}$", _P.DISLIKES, _K.PREFERENCE),
    frame(rf"<S><ADV>\s+finds? (?P<o>[\w' -]+?) {_VERY}{_GOOD}$", _P.LIKES, _K.PREFERENCE),
    frame(
        r"<S><ADV>\s+(?:swears? by|lives? for|goes? (?:mad|crazy|nuts) for|gravitates? towards?"
        r"|leans? towards?|veers? towards?|sticks? to|tends? to go for|always goes? for"
        r"|obsess(?:es)? "
        r"over|gets? a kick out of|looks? forward to|dotes? on|craves?) (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)?(?: always had)? an? (?:\w+ )?(?:soft spot"
        r"|weakness|thing|passion|fondness|preference|taste|love) for (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)? (?P<o>a sweet tooth)\b.*$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)? (?:no|little|zero) (?:time|patience|interest"
        r"|appetite|use|love) (?:for|in) (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S><HAVE>\s+(?:never|not) (?:really |quite |much )?(?:liked|enjoyed|got(?:ten)? into"
        r"|cared "
        r"for|warmed to|taken to|been into|seen the appeal of|understood the appeal of) (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S> (?:do|does)(?:n['’]?t| not) (?:really |much |particularly )?(?:care for|get on with"
        r"|go in "
        r"for|do (?=\w+s\b)|see the point of|get the appeal of) (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S>(?:['’]d| would)(?: much| really| far| always)* (?:rather|sooner|prefer to|prefer) "
        r"(?P<o>.+)$",
        _P.PREFERS,
        _K.PREFERENCE,
    ),
)
