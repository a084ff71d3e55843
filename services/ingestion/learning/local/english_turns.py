"""Frames of decisions, findings, aims, events and ties between people, in English."""

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.english_frame import Frame, frame
from services.ingestion.learning.local.english_reading import TIME
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate
_WHEN = TIME.pattern
_JUST = r"(?:just|only|finally|recently|eventually|then|also|today|yesterday|we|i)?\s*"
_LATELY = (
    r"(?:this (?:morning|week|afternoon|evening|month)|last (?:week|month|night|year|\w+day)|today"
    r"|yesterday|earlier|recently|the other day|on \w+day|the hard way|by accident|from \w+)"
)

TURN_FRAMES: tuple[Frame, ...] = (
    # decisions
    frame(
        r"(?:<S><HAVE>\s+)?(?:decided|opted|chosen|resolved|elected|voted|agreed|vowed|committed"
        r"|plumped|settled) (?:unanimously |together |finally |both )?(?P<o>(?:not to|to|on|for"
        r"|against|that we|in favour of) .+)$",
        _P.DECIDED,
        _K.DECISION,
        dated=True,
    ),
    frame(
        r"<S><HAVE>\s+made up (?:my|our|his|her|their) minds?(?:\s*[:,-]\s*| to | that |\s+about"
        r" )(?P<o>.+)$",
        _P.DECIDED,
        _K.DECISION,
        dated=True,
        any_object=True,
    ),
    frame(
        r"(?:<S><HAVE>\s+)?(?:went|gone|going|sticking|staying|go) (?:ahead )?with (?P<o>(?:the|a"
        r"|an|our|plan|option|"
        r"(?-i:[A-Z])|\w+ (?:one|tiles|paint|colou?r))\b(?! flow).*)$",
        _P.DECIDED,
        _K.DECISION,
        confidence=0.7,
        dated=True,
    ),
    frame(
        r"<S><HAVE>\s+(?P<o>(?:dropped|ditched|abandoned|swapped|replaced|scrapped|traded) "
        r".+? (?:in favou?r of|for|with|over to|to) (?-i:[A-Z]).*)$",
        _P.DECIDED,
        _K.DECISION,
        confidence=0.65,
        dated=True,
    ),
    frame(
        r"<S><HAVE>\s+(?P<o>(?:turned down|declined|rejected|accepted|passed on) .+|turned"
        r" .{3,30} down\b.*"
        r"|said (?:yes|no) to .+)$",
        _P.DECIDED,
        _K.DECISION,
        confidence=0.7,
        dated=True,
    ),
    frame(
        r"(?P<o>we['’]?re (?:not )?(?:keeping|sticking to|sticking with|dropping|ditching|skipping"
        r"|calling off|scrapping) .+)$",
        _P.DECIDED,
        _K.DECISION,
        confidence=0.65,
        dated=True,
    ),
    # findings
    frame(
        rf"(?:<S><HAVE>\s+)?{_JUST}(?:found out|figured out|worked out|realised|realized|discovered"
        rf"|noticed|spotted|learn(?:ed|t)|established)\s+(?:{_LATELY}\s+)?(?:that |what |why |how"
        rf" )?"
        r"(?P<o>(?!the hard way|again|to |a lot|so much|how to |about ).+)$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        dated=True,
    ),
    frame(
        r"(?:<S><HAVE>\s+)?(?:finally |eventually )?(?:tracked|traced|narrowed|pinned|boiled)"
        r" (?P<o>.+? (?:back )?(?:down )?to .+)$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        dated=True,
    ),
    frame(
        r"what (?:finally |actually |really )?(?:worked|helped|fixed it|did it|solved it|did the"
        r" trick"
        r"|made the difference)(?: in the end| for me| for us)? was (?P<o>.+)$",
        _P.DISCOVERED,
        _K.DISCOVERY,
        dated=True,
    ),
    # aims
    frame(
        r"(?:<S><BE>\s+)?(?:still )?(?:saving(?: up)?|aiming|hoping|training|working|preparing"
        r"|applying|gunning|fighting"
        r"|studying|practising|pushing) (?:for|to|towards?) (?P<o>.+)$",
        _P.PLANS,
        _K.GOAL,
        confidence=0.7,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?:trying|planning|looking|determined|hoping|out|itching|keen) to"
        r" (?P<o>(?!know|hear|learn more|meet|catch|try|start|keep|stay|understand|see|figure"
        r"|find out|say|get (?:this|it|the)|run (?:the|this)|do (?:this|it|that)|make (?:it|this)"
        r"|use|fix"
        r"|debug|install|remember|think|decide|help|be (?:nice|polite)|work out|follow|explain"
        r"|access|"
        r"open|set up|build (?:it|the)|import|connect|load|parse)\w+.*)$",
        _P.PLANS,
        _K.GOAL,
        confidence=0.7,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has|had))(?: got)? (?:my|our|his|her|their|a|one)"
        r" (?:heart|sights"
        r"|eye|mind|eyes)(?: firmly)? (?:set )?on (?P<o>.+)$",
        _P.WANTS,
        _K.GOAL,
    ),
    frame(
        r"<S><HAVE>\s+set (?:my|our|him|her|them)sel(?:f|ves) (?:the|a|an) (?:\w+ )?(?:target"
        r"|goal|aim|challenge) of (?P<o>.+)$",
        _P.WANTS,
        _K.GOAL,
    ),
    frame(r"<S><BE>\s+(?:set|bent|intent) on (?P<o>\w+ing .+)$", _P.WANTS, _K.GOAL),
    frame(
        r"(?:the|my|our|his|her) (?:\w+ )?(?:plan|dream|goal|aim|idea|hope|ambition|target"
        r"|resolution)(?: for \w+| this \w+)?"
        r"(?:['’]s| is)(?: still)? to (?P<o>.+)$",
        _P.WANTS,
        _K.GOAL,
    ),
    # events
    frame(
        rf"(?:<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)?\s+|got\s+)?(?:(?:an?|the|my"
        rf"|our)\s+)?(?P<o>(?:[\w'-]+ ){{0,3}}?"
        rf"(?:appointment|interview|exam|surgery|operation|flight|check-?up|wedding|funeral"
        rf"|audition|viewing|hearing"
        rf"|graduation|final|recital|match|concert|test|inspection|course|shift|scan|party"
        rf"|defen[cs]e)\b(?!s? (?:was|were|went|is|fail|pass)).*{_WHEN}.*)$",
        _P.WILL_HAPPEN,
        _K.EVENT,
        confidence=0.7,
        dated=True,
    ),
    frame(
        rf"<S><BE>\s+(?P<o>(?:on (?:stage|call|leave|holiday|duty|air)|off|away|back|due|flying"
        rf"|out of (?:town|office)|in (?:court|surgery|hospital|town)|having .{{3,30}}"
        rf"|visiting|presenting|speaking|performing|starting|leaving|moving|arriving|coming"
        rf"|getting .{{3,20}})\b.*{_WHEN}.*)$",
        _P.WILL_HAPPEN,
        _K.EVENT,
        confidence=0.7,
        dated=True,
    ),
    # what somebody went through
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))<ADV>\s+been to (?P<o>.+)$",
        _P.DID,
        _K.EXPERIENCE,
        any_object=True,
    ),
    frame(
        r"having (?P<o>(?:worked|lived|spent|studied|served|grown up|run|raised|played|taught"
        r"|travelled|trained) .+)$",
        _P.DID,
        _K.EXPERIENCE,
    ),
    # ties
    frame(
        r"(?P<s>i|we) (?:report to|answer to|work (?:for|under)|mentor|supervise|coach|tutor"
        r"|live with|share .{3,20} with|grew up with"
        r"|went to (?:school|uni\w*|college) with|go way back with|play .{3,20} with|sit next"
        r" to|am friends with) (?P<o>(?:\w+ ){0,4}?<NAME>.*)$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    frame(
        r"(?P<s>i|we) (?:mentor|supervise|look after|tutor|coach|foster|manage) (?P<o>(?:(?:two"
        r"|three|four|five|six|\d+|an?|some) )"
        r"(?:\w+ )?(?:juniors?|interns?|students?|trainees?|kids|children|apprentices?|people"
        r"|nephews?|nieces?|boys?|girls?).*)$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    frame(
        r"(?P<s>i|we)(?:['’]?m| am|['’]ve been|['’]re| are) (?:now |also |currently |happily"
        r" )?(?:seeing|dating|married to|engaged to|friends with|related to|going out with"
        r"|best friends with|close to|living with) (?P<o>(?:(?:someone|somebody|a (?:guy|girl|man"
        r"|woman)) (?:called|named) )?<NAME>.*)$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    frame(
        r"(?P<o><NAME>) (?:supervises|mentors|coaches|teaches|tutors|manages|babysits|married"
        r"|adopted|raised|examines) (?:me|us|my|our)\b.*$",
        _P.KNOWS,
        _K.RELATIONSHIP,
    ),
    frame(
        r"(?P<o><NAME>)(?:['’]s| is| was) (?:my|our) (?!(?:all-time |absolute )?fav|idea|hero"
        r"|pick|choice|guess|hope|dream|name|city|town|home|goal|first|last|password)(?:\w+"
        r" ){0,3}?\w+$",
        _P.KNOWS,
        _K.RELATIONSHIP,
        confidence=0.65,
    ),
    # who somebody is
    frame(
        r"as an? (?P<o>(?:\w+ ){0,3}?(?:[a-z]+(?:er|or|ist|ian|man|woman)|nurse|vet|chef"
        r"|teacher|doctor|lawyer|student|parent|mum|dad|parent))"
        r" (?:i|i['’]m|my)\b(?! (?:want|need|would|should|can)).*$",
        _P.WORKS_AS,
        _K.IDENTITY,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?P<o>(?:(?:now|currently|happily|strictly|recently|newly|semi-"
        r"|long-time|lifelong|mostly) ?)*(?:vegetarian|vegan|pescatarian|teetotal|retired"
        r"|divorced"
        r"|widowed|widower|widow|married|single|coeliac|celiac|diabetic|asthmatic|dyslexic|deaf"
        r"|colou?r[- ]?blind|left-handed"
        r"|self-employed|freelance|pregnant|sober|unemployed)\b(?! (?:dish|food|recipe|meal"
        r"|option|restaurant|version|and|or)).*)$",
        _P.IS,
        _K.IDENTITY,
        dated=True,
    ),
    frame(
        r"(?:<S>(?:<BE>|\s+was|\s+were)\s+)?(?:born(?: and (?:bred|raised))?|raised|grew up)"
        r" (?P<o>(?:in|on|near|outside) .+)$",
        _P.IS_FROM,
        _K.IDENTITY,
        dated=True,
    ),
    frame(
        r"(?:my|our) (?P<o>(?:blood (?:type|group)|eye ?sight|hearing|height|weight|star sign"
        r"|faith|religion|surname|last name|middle"
        r" name|maiden name|job|day job|degree|handle|username|commute|hometown"
        r"|favou?rite)\b(?:['’]s| is| are) .+)$",
        _P.HAS,
        _K.IDENTITY,
        confidence=0.7,
    ),
    frame(
        r"<S><ADV>\s+(?P<o>(?:drives?|rides?|owns?|keeps?|breeds?|raises?) (?!\w+ing\b|ya\b|my"
        r" own\b)(?:an? |two |three |four |\d+ |some |my own )?(?!me\b|you\b|it\b|us\b|an eye|in"
        r" touch|track"
        r"|the |quiet|calm|going|up\b|on\b|to\b|away|that|this|your|fit|busy|notes?\b|a (?:log"
        r"|list|record|secret|copy|diary|journal|note)\b).+)$",
        _P.OWNS,
        _K.IDENTITY,
        confidence=0.7,
    ),
)
