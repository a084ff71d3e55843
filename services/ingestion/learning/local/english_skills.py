"""Frames of what somebody is able to do, in English."""

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.english_frame import Frame, frame
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate
_DO = r"(?:speak|play|code|sing|dance|sew|knit|cook|bake|weld|type|swim|ski|drive|ride|sail|juggle)"
SKILL_FRAMES: tuple[Frame, ...] = (
    frame(
        r"(?:<S><BE>\s+)?(?:\w+ly )?(?:fluent|proficient|well versed|trained|certified"
        r"|conversational) "
        r"in (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?:really |pretty |quite |very |not (?:too |so |half )?|rather )*(?:good"
        r"|great|brilliant|excellent|decent"
        r"|handy|skilled|gifted|amazing|ace|better|quick|fast) (?:at|with|on) (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"(?:<S><BE>\s+)?(?:really |pretty |quite |very |so |absolutely |utterly )*(?:hopeless"
        r"|terrible|awful|rubbish|bad|useless"
        r"|lousy|clumsy|no good|crap|pathetic) (?:at|with|on) (?P<o>.+)$",
        _P.CANNOT,
        _K.SKILL,
    ),
    frame(
        r"<S><BE>\s+(?:an? )?(?:\w+ )?(?:whiz+|natural|dab hand|pro|ace|wizard|genius|beast"
        r"|master|black belt) "
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
        r"<S><HAVE>\s+taught (?:my|him|her|them)sel(?:f|ves) (?:how to |to |some |a bit of"
        r" )?(?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
        dated=True,
    ),
    frame(
        r"<S>(?:['’]ve|['’]s|\s+(?:have|has))(?: got)?(?: always had)? an? (?:\w+ )?(?:knack|gift"
        r"|talent"
        r"|ear|eye|flair|head|hand|feel|way) (?:for|with) (?P<o>.+)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(
        r"(?:<S><HAVE>\s+)?(?:never|not) (?:quite |really )?(?:got|gotten|get|mastered|learned"
        r"|learnt"
        r"|managed) (?:the hang of |(?:how )?to )?(?P<o>.+)$",
        _P.CANNOT,
        _K.SKILL,
        confidence=0.7,
    ),
    frame(r"<S> (?:have|has|['’]ve) no (?:idea|clue) how to (?P<o>.+)$", _P.CANNOT, _K.SKILL),
    frame(
        rf"(?P<s>i|we|he|she) (?:can|could)(?: also| even| actually)? (?P<o>(?:touch[- ]type|type"
        rf"|sight[- ]read|read"
        rf"|write|understand|follow|manage|draw|paint|fix|repair|solder|{_DO})\b(?! (?:you|your"
        rf"|it|that"
        r"|this|the (?:file|log|error|page|code|email|doc|message|output))\b).*)$",
        _P.CAN,
        _K.SKILL,
    ),
    frame(r"(?P<o>[\w -]{3,25}) (?:is something )?i can (?:do|manage)$", _P.CAN, _K.SKILL),
    frame(r"(?P<o>[\w -]{3,30}) comes (?:naturally|easily|easy) to <ME>$", _P.CAN, _K.SKILL),
    frame(
        r"my (?:\w+ )?(?P<o>(?-i:[A-Z])[a-z]+(?:ish|ese|ian|man|ch|ic|an|eek|ai|di|du|ew"
        r"|sh))(?:['’]s| is| isn['’]t)"
        r"<ADV> (?:\w+ )?(?:rusty|basic|fluent|decent|good|bad|poor|ok|okay|terrible|not|better"
        r"|passable|great|"
        r"conversational|native|limited|broken|school|so-so|intermediate|shaky)\b.*$",
        _P.SPEAKS,
        _K.SKILL,
    ),
)
