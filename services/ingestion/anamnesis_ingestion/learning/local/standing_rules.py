"""Standing rules that a person lays down: "no console logs", "keep your answers short".

Read where an agent works, of what the person writes there; elsewhere of how it is to talk. A rule
says how the work or its product has to be, for good, and understands itself: its subject is named
("it must not" is none), it is not asked, supposed or quoted. An order is done once and is no rule,
unless it says when it holds ("make sure to ... whenever ..."); nor is how one thing should be,
unless it says when. The rule is kept as it was written.
"""

import re
from collections.abc import Iterator, Sequence

from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import UNNAMED, ExtractionInput, FactKind, LearnedFact
from anamnesis_ingestion.learning.local.guards import is_question, tells_nothing, unquoted
from anamnesis_ingestion.learning.local.sentences import sentences
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.talk.standing import announced_rules

PREDICATE = "requires"
_EVENT_CHARS_MAX = 5_000
_WORDS_MIN, _WORDS_MAX = 3, 40
_CONFIDENCE, _IMPORTANCE = 0.85, 0.7

_LEAD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|alright|well|so|and|also|but|yes|yeah|no|hm+|please|remember|note|"
    r"o?mf?g|wtf|ffs|damn|hell|hey|dude|man|my dude|i (?:think|believe|guess))[\s,:;.-]+)*",
    re.IGNORECASE,
)
_INVARIANT = re.compile(
    r"\b(?:invariant|rule|convention|requirement|policy)\b[^.!?]{0,20}?\b(?:that|is|:)\s+(?P<rule>.+)",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(r"^[^.!?:：\n]{1,80}[:：]\s*(?P<rule>\S.+)")
"""What follows where rules are announced: "New rule: one PR per feature"."""
_SUBJECT = (
    r"(?!(?:it|that|this|these|those|they|he|she|there|i|you|what|which|who|why|how|when|if|one)\b)"
    r"(?:[^\s,;:!?]+\s+){1,12}?"
)
_ENGLISH = (
    rf"^{_SUBJECT}(?:must|shall|(?:has|have) to (?:always|never))\b.+",
    rf"^{_SUBJECT}should (?:always|never|only|not|return|stay|fail|throw|raise|log|keep|live|match"
    r"|default)\b.+",
    rf"^{_SUBJECT}should (?:be|have|use|show|go|come)\b.+\b(?:if|when|whenever|unless|until)\b.+",
    r"^(?:we|you) (?:should |must |can |will )?(?:always|never|must not|mustn['’]t)\b.+",
    r"^(?:always|never|do not ever|don['’]t ever)\s+[a-z].+",
    r"^no (?!problem|worries|thanks|need|idea|clue)(?:[\w-]+ ){0,3}[\w-]{2,}s$",
    r"^(?:only )?use [^.!?]+[,;] (?:no|not|never|instead of|rather than)\b.+",
    r"^(?:do not|don['’]t) (?:use|commit|push|add|write|log|touch|edit|change)\b.+",
    r"\bmake sure\b.+\b(?:when|whenever|every|each|always|never|before|after|any ?time)\b.+",
)
_FROM_NOW_ON = (
    r"(?:from now on|going forward),? (?:please )?"
    r"(?!(?:i|we|you|he|she|it|they|there|this|that|these|those|everything|nothing|is|are|was)\b)"
    r"[a-z]+ (?:the|a|an|all|any|both|every|each|no|only|me|us|it|them|my|our|your)\b.+"
)
"""An order that holds for good: "from now on stop the page first"."""
_CHINESE = (
    r"^(?:(?:请|以后|今后)[，,]?)?(?:所有|每(?:次|个|一)|任何|凡是|永远|总是|一律|绝对|千万)"
    r".*(?:必须|不能|不要|不得|不准|禁止|都要|应该).+",
    r"^(?:禁止|不准|绝不能|千万不要|必须).{2,}",
)
_RULES = re.compile("|".join((*_ENGLISH, f"^{_FROM_NOW_ON}", *_CHINESE)), re.IGNORECASE)
_PURPOSE = re.compile(
    r",?\s+so (?:that )?(?:the|we|you|i|they|users?|people|nobody|everybody)\b[^,;]*\Z",
    re.IGNORECASE,
)
"""What a rule is good for, told behind it."""
_PASSING = re.compile(
    r"\b(?:must|should) (?:have|be (?:that|because|due))\b|\b(?:now|today|for now|this time|yet"
    r"|as is|like that|right\?)(?=\W*$)|\bas well\b",
    re.IGNORECASE,
)

_REPORTED = re.compile(
    r", (?:\w+ ){0,2}\w+ (?:said|says|wrote|used to say|(?:told|warned|taught) (?:me|us))"
    r"(?: to (?:me|us))?\W*$",
    re.IGNORECASE,
)
"""The end of a rule that somebody else laid down."""

_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|messages|explanations?|summaries)"
_OF_STYLE = (
    r"(?:emojis?|bullet(?:s| points?| lists?)?|markdown|jargon|slang|small talk|flattery"
    r"|compliments?|preambles?|disclaimers?|exclamation (?:marks?|points?)|em[- ]?dash(?:es)?"
    r"|headers|headings|tables|fluff|filler|acronyms|abbreviations|pleasantries|lectures?"
    r"|apologies|swearing|puns)"
)
"""What a text has by its style: who wants none of it wants none of it again."""
_OF_MEASURES = (
    r"(?:(?:the )?(?:metric|imperial)(?: system| units?)?(?! (?:of|that)\b)|celsius|fahrenheit"
    r"|kilomet\w+|kilos"
    r"|(?:british|american|uk|us) (?:spelling|english)|(?:the )?24[- ]?hour (?:clock|time|format))"
)
_TELLS = (
    r"(?:answer|reply|respond|write|call me|address me|send me|ask me|give me|show me|remind me"
    r"|tell me|speak to me|talk to me|suggest|recommend|offer|include|mention|assume|start|end"
    r"|open|quote|cite|translate|format|convert|explain|list|use)"
)
_TELLING = (
    r"(?:opening|starting|ending|beginning|finishing|using|adding|including|putting|repeating"
    r"|apologi[sz]ing|summari[sz]ing|praising|thanking|lecturing|calling me)"
)
_TO_YOU = (
    r"(?:writ|answer|repl|respond|send|giv|explain|quot|suggest|recommend|summari[sz]|talk|speak"
    r"|address|mention|list|translat|draft|plan|book|schedul|show|cod|generat|mak)\w*"
)
_WHENEVER = re.compile(r"\W*(?:please )?when(?:ever)? (?:you|i)\b[^?,]{1,80}, ", re.IGNORECASE)
"""What opens like a question and is none: "when you write code, use tabs"."""
_REASON = re.compile(
    r"(?:[,;]? (?:because|since)\b|[,;] (?:i|i['’]\w+|it|it['’]s|we|my)\b)[^;]*\Z", re.IGNORECASE
)
"""Why a rule is laid down, told behind it."""
_TO_AN_AGENT = re.compile(
    rf"^keep (?:all )?(?:of )?your {_ANSWERS} .+"
    r"|^(?:(?:from now on|in (?:the )?future|going forward),? (?:please )?"
    r"(?:(?:always|never|do not|don['’]t) )?|(?:please )?(?:always|never|only|don['’]t ever) )"
    rf"{_TELLS}\b.+"
    rf"|^(?:stop|quit|avoid) {_TELLING}\b.{{3,}}"
    rf"|^(?:no|(?:don['’]t|do not) (?:use|add|give me|put|include)(?: any)?) {_OF_STYLE}\b"
    r"(?! (?:is|are|was|were|has|have|had|will|can|could|should)\b).*"
    rf"|^(?:use|stick to|give me) {_OF_MEASURES}\b.*"
    r"|^(?:don['’]t|do not|never) (?:ever )?(?:call|address|refer to|lecture|patroni[sz]e) me\b.*"
    r"|^(?:don['’]t|do not) (?:suggest|recommend) .{3,}"
    r"|^(?:answers|replies|responses|everything) in (?-i:[A-Z])\w+\b.*"
    r"|^explain (?:things|everything|concepts|code) (?:to me )?(?:like|as|in|with|step)\b(?! th)"
    r".+"
    r"|^(?:be|stay) (?:more |very |as )?(?:blunt|direct|honest|brief|concise|terse|formal|informal"
    r"|casual|critical|polite|frank|succinct|strict) (?:with me|to me|when|in your)\b.*"
    r"|^treat me (?:like|as)\b.+"
    r"|^(?:don['’]t|do not|never) use the (?:word|phrase|term)s?\b.+"
    r"|^i (?:want|need) (?:everything|all of it) in (?:(?-i:[A-Z])\w+|bullets?|plain|metric)\b"
    r".*"
    rf"|^(?:skip|drop|ditch|cut|leave out|omit|avoid) (?:the |all |any )?{_OF_STYLE}\b.*"
    r"|^(?:i['’]d like|i want|give|show|use|write|keep|send|answer|reply) .+ (?:from now on"
    r"|going forward|in future)\W*$"
    r"|^(?:when(?:ever)?|every time|if) i (?:ask|say|send|write|paste|share|mention)\b[^,?]{1,80}, "
    r"(?:please )?(?:always |never |just |first )?(?:give|show|answer|reply|use|do|don['’]t|keep"
    r"|start|add|include|ask|translate|explain|tell|write|list|summari[sz]e|check|format|suggest|convert"
    r"|respond|point|assume|fix|sort|save)\b.+"
    r"|^if you(?:['’]re| are| aren['’]t| don['’]t| can['’]t) [^,?]{1,60}, "
    r"(?:please )?(?:always |never |just )?(?:ask|tell|say|don['’]t|let me)\b.+"
    r"|^(?:answer|talk to|speak to|write to|reply to) me (?:only )?in (?-i:[A-Z])\w+\b.*"
    r"|^i (?:want|need|expect) .+ (?:every|each|all|any) [\w -]{1,30}\byou (?:make|give|write|send"
    r"|suggest|recommend|mention)\b.*"
    rf"|^when(?:ever)? you (?:are )?{_TO_YOU}\b[^,]{{0,60}}, (?:please )?"
    r"(?!(?:i|it|you|that|this|we|they|he|she|what|how|can|could|would|will|do|did|is|are)\b)[a-z].+"
    r"|^(?:i['’]d|i would) (?:rather|prefer (?:it )?(?:if|that)) you\b.+"
    rf"|^{_FROM_NOW_ON}",
    re.IGNORECASE,
)
"""How an agent is to talk to somebody, for good."""


def standing_rules_of(lecture: ExtractionInput) -> Iterator[LearnedFact]:
    """The rules that persons lay down, in order: for work, and elsewhere for how an agent talks."""
    laid_down = _RULES if is_at_work(lecture.events) else _TO_AN_AGENT
    if laid_down is _TO_AN_AGENT and not _speaks_an_agent(lecture):
        return
    for event in lecture.events:
        if event.role is Role.USER:
            yield from (_fact(rule, event, lecture) for rule in rules_in(event, laid_down))


def _speaks_an_agent(lecture: ExtractionInput) -> bool:
    """True if the assistant of a talk is none of its people, or one person speaks alone."""
    answers = [event for event in lecture.events if event.role is Role.ASSISTANT]
    if not answers:
        return len({event.name for event in lecture.events}) == 1
    return any(
        not event.name or event.name.casefold() == lecture.agent.casefold() for event in answers
    )


def is_at_work(events: Sequence[LedgerEvent]) -> bool:
    """True where an agent uses tools."""
    return any(event.role is Role.TOOL or event.tool_calls for event in events)


def rules_in(event: LedgerEvent, laid_down: re.Pattern[str] = _RULES) -> Iterator[str]:
    """The rules of one kind that a message lays down."""
    text = unquoted(own_words(event)[:_EVENT_CHARS_MAX])
    if tells_nothing(text):
        return
    announced = announced_rules(text)
    for sentence in sentences(text):
        rule = _rule(sentence, laid_down, announced=sentence in announced)
        if rule:
            yield rule


def _rule(sentence: str, laid_down: re.Pattern[str], *, announced: bool = False) -> str:
    """The rule that a sentence lays down; "" where it lays down none.

    One that is `announced` as a rule needs no other sign.
    """
    asks = is_question(sentence) and not _WHENEVER.match(sentence)
    if asks or sentence.rstrip().endswith("?") or _REPORTED.search(sentence):
        return ""
    stated = _INVARIANT.search(sentence) or (_ANNOUNCED.search(sentence) if announced else None)
    said = stated["rule"] if stated else sentence[_lead_end(sentence) :]
    said = _PURPOSE.sub("", said.strip().rstrip("!.。！ "))
    said = _REASON.sub("", said) if laid_down is _TO_AN_AGENT else said
    sized = _WORDS_MIN <= _size(said) <= _WORDS_MAX
    if not sized or _PASSING.search(said) or not (announced or laid_down.search(said)):
        return ""
    return said


def _lead_end(sentence: str) -> int:
    """The position of the first word behind the fillers; "no" is a filler before a comma only."""
    lead = _LEAD.match(sentence)
    end = lead.end() if lead else 0
    opening = re.match(r"\W*no\s+(?=[\w-])", sentence, re.IGNORECASE)
    return opening.start() if opening else end


def _size(text: str) -> int:
    return len(re.findall(r"[\u3400-\u9fff]|[\w'’-]+", text))


def _fact(rule: str, event: LedgerEvent, lecture: ExtractionInput) -> LearnedFact:
    subject = event.name or lecture.user or UNNAMED
    return LearnedFact(
        statement=f"Rule: {rule}",
        subject=subject,
        predicate=PREDICATE,
        object=rule,
        kind=FactKind.CONSTRAINT,
        sources=(event.index or 0,),
        topic=lecture.topic,
        said_at=event.event_time,
        confidence=_CONFIDENCE,
        importance=_IMPORTANCE,
    )
