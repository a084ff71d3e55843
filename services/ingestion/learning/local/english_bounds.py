"""Frames of what binds somebody, of what they like, and of what they are able to do, in English."""

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
        r"<S><BE>\s+(?:\w+ly |deathly )?(?:allergic|sensitive|anaphylactic|intolerant) to (?P<o>.+)$",
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
        rf"(?P<o>[\w' -]{{3,40}}?)(?:\s+(?:is|are)|['’]s)<ADV>\s+{_FORBIDDEN} (?:for|to|with) <ME>$",
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
        r"|can no longer)\s+(?:really |even |ever )?(?P<o>(?:have|eat|drink|touch|take|tolerate|digest"
        r"|lift|handle|carry|wear|fly|travel|be (?:near|around|in|out)|be (?:reached|disturbed)|go "
        r"(?:near|above|over|below)|exceed|spend|do (?:mornings|evenings|nights|weekends|mon|tues|wed"
        r"|thurs|fri|sat|sun)\w*|work (?:on|after|before|past|more)|stay (?:up|past|later)|make (?:it "
        r"(?:on|before|after)|mon|tue|wed|thu|fri|sat|sun))\b(?! (?:it|that|this|my eyes|for granted"
        r"|away|over|credit|place|your))(?!.*\bwithout\b).+)$",
        _P.MUST_NOT,
        _K.CONSTRAINT,
    ),
    frame(
        r"(?:(?:the|our|my|one|her|his) )?(?:\w+ )?rule(?:s)?(?: \w+){0,4}? (?:is|are|says?)(?: that)?"
        r"[: ]+(?P<o>.+)$",
        _P.REQUIRES,
        _K.CONSTRAINT,
        any_object=True,
    ),
    frame(
        r"<S>(?:<BE>|\s+can)\s+only\s+(?P<o>(?:be |do )?(?:free|available|open|around|reachable|home|in"
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
        r"(?:there(?:['’]s| is)|we have|we['’]ve got|i have) (?P<o>an? (?:\w+ )?(?:cap|limit|maximum"
        r"|minimum|ceiling|quota|curfew|threshold|ban) (?:of|on|at) .+)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        rf"<S>(?:['’]ve|['’]s|\s+(?:have|has|get|gets))(?: got)? (?P<o>(?:only |just |about )*{_MONEY}"
        r".{0,30}(?:\b(?:a|per|each|every|for|to spend|left|max|tops)\b).*)$",
        _P.MUST,
        _K.CONSTRAINT,
    ),
    frame(
        rf"<S>\s+(?:can|could)(?:n['’]?t|not)? (?:only )?(?:spend|afford|pay|go) (?P<o>(?:up to|at most"
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

_VERY = r"(?:(?:a |an |the )?(?:really|very|quite|huge|big|massive|great|such|pretty|fairly|not|no|so|not very|actually|hugely|total) )*"
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
        r"(?:<S><BE>\s+)?(?:a |the )?(?:really |very )?(?:big|huge|massive|great|lifelong|total|real) "
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
        r"(?P<o>[\w' -]{3,50}?) (?:drives? me (?:mad|crazy|nuts|insane|up the wall)|gets? on my nerves"
        r"|puts? me off|bores? me\b.*|stress(?:es)? me out|annoys? me\b.*|makes? me cringe)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?)(?:['’]s| is| are| was)(?: just| really)?(?: not|n['’]?t) (?:really "
        r"|exactly )?(?:(?:for|to) (?P<s>me|us|him|her)|my (?:thing|cup of tea|style|taste|jam|idea of "
        r"fun))\b.*$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?) (?:isn['’]?t|aren['’]?t) (?:really |exactly )?(?:for (?P<s>me|us|him"
        r"|her)|my (?:thing|cup of tea|style|taste|jam|idea of fun))\b.*$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?:my|our) (?:thing|jam|go-to(?: \w+){0,2}|guilty pleasure|comfort (?:food|read)|drink of "
        r"choice|\w+ of choice|pet hate|weakness|passion|poison)(?:['’]s| is| are| has always been) "
        r"(?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,50}?)(?:['’]s| is| are) (?:totally |so |really )?my (?:thing|jam|go-to\b.*|guilty pleasure"
        r"|weakness|passion|comfort food|happy place|kind of \w+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?P<o>[\w' -]{3,40}?)(?:['’]s| is| are) (?:what|the one thing|all) (?:i|we) (?:\w+ )?(?:listen to|read|watch"
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
        r"<S> (?:can['’]?t|cannot|can not|could(?:n['’]?t| not)|can never|could never) (?:really )?(?:get enough of|do "
        r"without|live without|resist|start (?:the|my|a) day without|go a day without|function "
        r"without|say no to) (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S> (?:can['’]?t|cannot|can not|could never|never could) (?:really |quite )?(?:stand|bear|abide|stomach|tolerate"
        r"|face|get into|warm to|get on with|be doing with) (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"(?:for me )?(?:nothing|you can['’]?t) (?:beats?|compares? to|comes close to|tops) (?P<o>.+)$",
        _P.LIKES,
        _K.PREFERENCE,
        confidence=0.7,
    ),
    frame(rf"<S><ADV>\s+finds? (?P<o>[\w' -]+?) {_VERY}{_BAD}$", _P.DISLIKES, _K.PREFERENCE),
    frame(rf"<S><ADV>\s+finds? (?P<o>[\w' -]+?) {_VERY}{_GOOD}$", _P.LIKES, _K.PREFERENCE),
    frame(
        r"<S><ADV>\s+(?:swears? by|lives? for|goes? (?:mad|crazy|nuts) for|gravitates? towards?"
        r"|leans? towards?|veers? towards?|sticks? to|tends? to go for|always goes? for|obsess(?:es)? "
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
        r"<S><HAVE>\s+(?:never|not) (?:really |quite |much )?(?:liked|enjoyed|got(?:ten)? into|cared "
        r"for|warmed to|taken to|been into|seen the appeal of|understood the appeal of) (?P<o>.+)$",
        _P.DISLIKES,
        _K.PREFERENCE,
    ),
    frame(
        r"<S> (?:do|does)(?:n['’]?t| not) (?:really |much |particularly )?(?:care for|get on with|go in "
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

_DO = r"(?:speak|play|code|sing|dance|sew|knit|cook|bake|weld|type|swim|ski|drive|ride|sail|juggle)"
SKILL_FRAMES: tuple[Frame, ...] = (
    frame(
        r"(?:<S><BE>\s+)?(?:\w+ly )?(?:fluent|proficient|well versed|trained|certified|conversational) "
        r"in (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?:really |pretty |quite |very |not (?:too |so |half )?|rather )*(?:good|great|brilliant|excellent|decent"
        r"|handy|skilled|gifted|amazing|ace|better|quick|fast) (?:at|with|on) (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?:really |pretty |quite |very |so |absolutely |utterly )*(?:hopeless|terrible|awful|rubbish|bad|useless"
        r"|lousy|clumsy|no good|crap|pathetic) (?:at|with|on) (?P<o>.+)$",
        _P.CANNOT,
        _K.SKILL,
    ),
    frame(
        r"<S><BE>\s+(?:an? )?(?:\w+ )?(?:whiz+|natural|dab hand|pro|ace|wizard|genius|beast|master|black belt) "
        r"(?:at|with|in|on) (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"<S><ADV>\s+knows? (?:my|our|his|her|their) way (?:a)?round (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"<S><HAVE>\s+taught (?:my|him|her|them)sel(?:f|ves) (?:how to |to |some |a bit of )?(?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
        dated=True,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)?(?: always had)? an? (?:\w+ )?(?:knack|gift|talent"
        r"|ear|eye|flair|head|hand|feel|way) (?:for|with) (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"(?:<S><HAVE>\s+)?(?:never|not) (?:quite |really )?(?:got|gotten|get|mastered|learned|learnt"
        r"|managed) (?:the hang of |(?:how )?to )?(?P<o>.+)$",
        _P.CANNOT,
        _K.SKILL,
        confidence=0.7,
    ),
    frame(r"<S> (?:have|has|['’]ve) no (?:idea|clue) how to (?P<o>.+)$", _P.CANNOT, _K.SKILL),
    frame(
        rf"(?P<s>i|we|he|she) (?:can|could)(?: also| even| actually)? (?P<o>(?:touch[- ]type|type|sight[- ]read|read"
        rf"|write|understand|follow|manage|draw|paint|fix|repair|solder|{_DO})\b(?! (?:you|your|it|that"
        r"|this|the (?:file|log|error|page|code|email|doc|message|output))\b).*)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(r"(?P<o>[\w -]{3,25}) (?:is something )?i can (?:do|manage)$", _P.CAN, _K.SKILL),
    frame(r"(?P<o>[\w -]{3,30}) comes (?:naturally|easily|easy) to <ME>$", _P.CAN, _K.SKILL),
    frame(
        r"my (?:\w+ )?(?P<o>(?-i:[A-Z])[a-z]+(?:ish|ese|ian|man|ch|ic|an|eek|ai|di|du|ew|sh))(?:['’]s| is| isn['’]t)"
        r"<ADV> (?:\w+ )?(?:rusty|basic|fluent|decent|good|bad|poor|ok|okay|terrible|not|better|passable|great|"
        r"conversational|native|limited|broken|school|so-so|intermediate|shaky)\b.*$",
        _P.SPEAKS,
        _K.SKILL,
    ),
)
