"""English set phrases that tell a fact whatever the grammar: names, goals, wishes, findings."""

import re
from collections.abc import Iterator

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local.drafts import Clause, Draft
from services.ingestion.learning.local.english_phrase import Phrase
from services.ingestion.learning.local.english_phrase import phrase as _phrase
from services.ingestion.learning.local.english_statements import possessive, quoted, with_subject
from services.ingestion.learning.local.predicates import Predicate
from services.ingestion.learning.local.scene import Scene

_K, _P = FactKind, Predicate


_PHRASES = (
    _phrase(
        r"\b(?:his|her|their|its) name(?: is|['’]s) (?P<o>[A-Z][\w'’-]+)$",
        _P.KNOWS,
        _K.RELATIONSHIP,
        "",
        0.75,
    ),
    _phrase(
        r"\bmy (?:full |first |real |last )?name(?: is|['’]s) (?P<o>[\w'’. -]+)$",
        _P.IS_NAMED,
        _K.IDENTITY,
        "is named",
        0.9,
    ),
    _phrase(
        r"^(?:i['’]m|i am|this is) (?P<o>[A-Z][a-z]+),? by the way$",
        _P.IS_NAMED,
        _K.IDENTITY,
        "is named",
    ),
    _phrase(
        (
            r"\b(?:everyone|everybody|people|friends|they|my friends|most people) calls? me "
            r"(?P<o>[\w'’ -]+)$"
        ),
        _P.IS_NAMED,
        _K.IDENTITY,
        "is called",
        0.85,
    ),
    _phrase(
        r"^(?:please |just |you can )*call me (?P<o>[A-Z][\w'’-]+)$",
        _P.IS_NAMED,
        _K.IDENTITY,
        "is called",
        0.85,
    ),
    _phrase(r"\bi go by (?P<o>[A-Z][\w'’-]+)", _P.IS_NAMED, _K.IDENTITY, "goes by", 0.85),
    _phrase(
        (
            r"\bmy (?:\w+ )?(?P<o>[A-Z][a-z]+(?:ish|ese|ian|man|nch|ic|an|tch|Greek|Thai|Hindi"
            r"|Urdu|Turkish|Hebrew))\b (?:is|isn['’]t|was|has)\b"
        ),
        _P.SPEAKS,
        _K.SKILL,
        "",
        0.75,
        owned=True,
    ),
    _phrase(
        r"\b(?P<o>(?:every|each|all|any) .{2,40}? (?:has to|have to|must|needs to|need to) .+)$",
        _P.MUST,
        _K.CONSTRAINT,
        "",
        0.75,
    ),
    _phrase(r"\bmy pronouns are (?P<o>.+)$", _P.IS, _K.IDENTITY, "has the pronouns", 0.9),
    _phrase(
        (
            r"\bmy (?P<w>birthday|date of birth|blood type|shoe size|star sign|mother tongue"
            r"|native language|first language|nationality|hometown|home town|height|job title) "
            r"(?:is|['’]s)(?: in| on)? (?P<o>.+)$"
        ),
        _P.HAS,
        _K.IDENTITY,
        "",
        0.85,
        owned=True,
    ),
    _phrase(
        (
            r"\b(?:my|our) (?:\w+ )?(?:goal|aim|dream|ambition|resolution|target|objective"
            r"|plan)(?: for [\w ]+| this [\w ]+)? (?:is|['’]s)(?: to)? (?P<o>.+)$"
        ),
        _P.WANTS,
        _K.GOAL,
        "",
        0.85,
        owned=True,
    ),
    _phrase(
        (
            r"\b(?:my|our) (?:\w+ )?(?:budget|limit|maximum|max|deadline|allowance|curfew"
            r"|ceiling)(?: for [\w ]+)? (?:is|['’]s|can['’]t exceed|cannot exceed|must not "
            r"exceed) (?P<o>.+)$"
        ),
        _P.MUST,
        _K.CONSTRAINT,
        "",
        0.85,
        owned=True,
    ),
    _phrase(
        (
            r"\b(?:my|our) (?:all-time |absolute |new )?fav(?:ou)?rite (?P<w>[\w -]+?) (?:is"
            r"|are|['’]s|has always been) (?P<o>.+)$"
        ),
        _P.LIKES,
        _K.PREFERENCE,
        "",
        0.85,
        owned=True,
    ),
    _phrase(
        r"^(?P<o>.+?) (?:is|are) my (?:all-time |absolute )?fav(?:ou)?rite\b.*$",
        _P.LIKES,
        _K.PREFERENCE,
        "likes",
        0.8,
    ),
    _phrase(
        (
            r"\b(?:i|we) (?:really |just |absolutely |honestly )*(?:can['’]?t|cannot|can not) "
            r"(?:stand|bear|abide|tolerate) (?P<o>.+)$"
        ),
        _P.DISLIKES,
        _K.PREFERENCE,
        "can't stand",
        0.85,
    ),
    _phrase(
        r"\bi['’](?:d| would) (?:much |really )?(?:rather|sooner|prefer to|prefer) (?P<o>.+)$",
        _P.PREFERS,
        _K.PREFERENCE,
        "would rather",
        0.8,
    ),
    _phrase(
        r"\bi would (?:much |really )?(?:rather|prefer to|prefer) (?P<o>.+)$",
        _P.PREFERS,
        _K.PREFERENCE,
        "would rather",
        0.8,
    ),
    _phrase(
        r"\b(?P<o>[\w -]+?) (?:is|are) not (?:really )?(?:my (?:thing|cup of tea)|for me)\b",
        _P.DISLIKES,
        _K.PREFERENCE,
        "does not like",
        0.75,
    ),
    _phrase(
        (
            r"^(?:so |and |but |also |then )*please,? (?P<o>(?:no|never|don['’]t|do not|always"
            r"|only|avoid|stop|keep (?:it|your|all|the))\b .+)$"
        ),
        _P.PREFERS,
        _K.PREFERENCE,
        "",
        0.75,
    ),
    _phrase(
        (
            r"^(?:so |and |but |also )*(?:from now on|in (?:the )?future|going forward|as a "
            r"rule|by default|in general|whenever you [\w ]+)\b,? ?(?:please |always "
            r")*(?P<o>.+)$"
        ),
        _P.PREFERS,
        _K.PREFERENCE,
        "",
        0.75,
    ),
    _phrase(
        (
            r"^(?:so |and |but |also |please )*(?P<o>(?:always|never) (?!got|did|had|was|went"
            r"|came|saw|made|took|knew|met|found|mind|again|here|there"
            r"|good|nice|happy|great|fun|so|up|on|in|wanted|something|believed?|dream(?:ed)?|a"
            r"|the|ever|heard|been|have|had|has|is|was)[a-z]+\b(?<!ed) .+)$"
        ),
        _P.PREFERS,
        _K.PREFERENCE,
        "",
        0.7,
    ),
    _phrase(
        r"^(?:just |and |also |so )*(?P<o>(?:[\w-]+ ){1,4}(?:units?|spelling|answers|replies"
        r"|format|dates|style|english|measurements|notation|summaries"
        r"|headings|bullets|only|paragraphs|examples|sentences|emojis?|tone|time)),? (?:please"
        r"|pls|from now on|always)$",
        _P.PREFERS,
        _K.PREFERENCE,
        "",
        0.75,
    ),
    _phrase(
        r"^(?:please |and |so |but |also |just )*(?P<o>(?:keep|make|write|give|leave) (?:the "
        r"|your |all |my |any |me )*(?:answers?|repl(?:y|ies)"
        r"|responses?|explanations?|emails|messages|summaries|code comments|tone|language|it|them"
        r"|things) (?:\w+ )?(?:short|brief|concise|simple|formal|informal"
        r"|casual|plain|under .+|to .+|in .+|free of .+|polite|friendly|short and .+))$",
        _P.PREFERS,
        _K.PREFERENCE,
        "",
        0.75,
    ),
    _phrase(
        r"^(?:please |and |so |but |also |just )*(?P<o>(?:answer|reply|respond|talk|write|speak"
        r"|address me|refer to me|call me|explain (?:things|everything))"
        r" (?:to me )?(?:only |always )?(?:in (?!the |this|a |one |your|more)|as (?:he|she|they)"
        r"|by my|with(?:out)? (?:emoji|bullet|jargon|markdown|exclamation)).+)$",
        _P.PREFERS,
        _K.PREFERENCE,
        "",
        0.65,
    ),
    _phrase(r"^(?P<o>no .+),? (?:please|ever|thanks)$", _P.PREFERS, _K.PREFERENCE, "", 0.65),
    _phrase(
        (
            r"^(?:the )?(?:final )?(?:decision|final|final answer|verdict)\b[^:]{0,30}(?:: *| "
            r"is (?:to |that )?)(?P<o>.+)$"
        ),
        _P.DECIDED,
        _K.DECISION,
        "",
        0.75,
    ),
    _phrase(
        r"\bit['’]?s (?:decided|settled|final)\b:? ?(?P<o>.+)$", _P.DECIDED, _K.DECISION, "", 0.75
    ),
    _phrase(
        r"^(?:it )?turn(?:s|ed) out,? (?:that )?(?P<o>.+)$", _P.DISCOVERED, _K.DISCOVERY, "", 0.8
    ),
    _phrase(
        (
            r"\bthe (?:root cause|cause|culprit|reason|actual problem|real problem|problem"
            r"|bottleneck|issue|trick|fix) (?:was|turned out to be|turns out to be) (?P<o>.+)$"
        ),
        _P.DISCOVERED,
        _K.DISCOVERY,
        "",
        0.75,
    ),
    _phrase(
        r"\bi have (?:a |an )(?P<o>[\w -]*(?:allergy|intolerance))\b.*$",
        _P.IS_ALLERGIC_TO,
        _K.CONSTRAINT,
        "has a",
        0.85,
    ),
)


def set_phrases(clause: Clause, scene: Scene) -> Iterator[Draft]:
    """The fact of the first phrase that fits."""
    for phrase in _PHRASES:
        match = phrase.pattern.search(clause.text)
        if match and (scene.to_agent or phrase.predicate is not _P.PREFERS or phrase.told):
            scene.carried = ""
            yield Draft(
                clause=clause,
                subject=scene.speaker,
                predicate=phrase.predicate,
                object=match["o"].strip(" ,"),
                statement=_statement(clause, match, phrase, scene),
                kind=phrase.kind,
                confidence=phrase.confidence,
                dated=phrase.kind in {_K.DECISION, _K.DISCOVERY, _K.GOAL},
            )
            return


def _statement(clause: Clause, match: re.Match[str], phrase: Phrase, scene: Scene) -> str:
    if phrase.told:
        return with_subject(scene.speaker, f"{phrase.told} {match['o'].strip(' ,')}", scene)
    if phrase.owned:
        return re.sub(r"^(?:my|our)\b", possessive(scene), match.group(), flags=re.IGNORECASE)
    return quoted(clause.text, scene)
