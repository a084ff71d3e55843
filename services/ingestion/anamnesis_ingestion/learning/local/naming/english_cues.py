"""The kind of a capitalised English name, by a word of the name or by the words beside it."""

import re
from collections.abc import Sequence

from anamnesis_ingestion.learning.knowledge import EntityKind
from anamnesis_ingestion.learning.local import english_words as words
from anamnesis_ingestion.learning.local.english_words import words_of

_K = EntityKind

OF_HEADS = words_of(
    "University Ministry Bank Institute Department College Museum School Republic City Church"
    " Council House Academy Society Association Bureau Board Office Faculty Kingdom Gulf Bay Isle"
    " Isles Cape Lake Port Battle Festival Feast Day Centre Center Chamber Court Guild Order"
    " Order"
)
_LAST = {
    _K.ORGANISATION: words_of(
        "Inc Inc. Ltd Ltd. LLC Corp Corp. Co Co. GmbH AG PLC Labs Lab University College Academy"
        " Hospital Clinic Bank Institute Foundation Museum Agency Association Society Bakery"
        " Systems Technologies Technology Robotics Studios Studio Airlines Airways Cinema Library"
        " Church Club School Committee Council Group Company Corporation Press Records Partners"
        " Consulting Software Solutions Industries Enterprises Restaurant Café Cafe Hotel Theatre"
        " Theater Orchestra Gallery Pharmacy Ministry Department Bureau Federation Union Alliance"
        " Ventures Capital Holdings Logistics Marine Motors Media Analytics Dynamics Energy"
        " Insurance Sons Brothers Dental Kindergarten"
    ),
    _K.PLACE: words_of(
        "Street Avenue Road Lane Park River Lake Mountain Mountains Island Islands Beach Bay"
        " Bridge Airport Station Square Valley Creek Forest Hill Hills Harbor Harbour Coast"
        " County City Province Falls Desert Canyon Peninsula Village Sea Ocean Boulevard Castle"
        " Palace Cathedral Trail Glacier Plaza"
    ),
    _K.EVENT: words_of(
        "Conference Summit Festival Congress Marathon Olympics Cup Championship Championships"
        " Hackathon Workshop Expo Symposium Awards Tournament Meetup Parade Biennale Fair Regatta"
    ),
    _K.PROJECT: words_of("Project Initiative"),
    _K.TECHNOLOGY: words_of("SDK API Framework Database Compiler Linux OS"),
    _K.TOPIC: words_of("Theory Theorem Paradox Hypothesis Algorithm"),
    _K.AGENT: words_of("Bot Agent Assistant Copilot"),
}
_FIRST = {
    _K.PLACE: words_of("Mount Mt. Lake Cape Castle Fort Port Los Las"),
    _K.PROJECT: words_of("Project Operation"),
}
_OF = {
    _K.ORGANISATION: words_of(
        "University Ministry Bank Institute Department College Museum School Council Academy"
        " Society Association Bureau Board Office Faculty Chamber Guild"
    ),
    _K.PLACE: words_of("Gulf Bay Isle Isles Cape City Republic Kingdom Port"),
    _K.EVENT: words_of("Festival Feast Battle"),
}
_ROLES = rf"(?:{words.KIN}|{words.SOCIAL}|{words.PET}|guy|girl|boy|man|woman|kid|baby|actor|singer)"
_TITLES = r"(?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof|Professor|Sir|Aunt|Auntie|Uncle|Grandma|Grandpa|Cousin)"


def _all(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_BEFORE: tuple[tuple[EntityKind, re.Pattern[str]], ...] = (
    (
        _K.PERSON,
        _all(
            rf"\b{_TITLES}\.? $",
            rf"\b(?i:my|our|his|her|their|your|a|an|the) (?:\w+ )?(?i:{_ROLES}),? (?:is |was )?"
            r"(?:called |named )?$",
            rf"\b(?i:{_ROLES})(?:['’]s name is| is called| is named| named| called) $",
            r"\b(?i:my|his|her) name(?: is|['’]s) $",
            r"\b(?i:call me|married|dating|befriended|thanks to|hugged|babysit|congratulate|told"
            r"|asked|emailed|texted|phoned|pinged|thanked|messaged|invited|cc['’]d|reminded) $",
            r"\b(?i:talk|talked|talking|spoke|speak|chat|chatted|lunch|dinner|coffee|call|meeting|met"
            r"|sync|synced|paired|pairing|disagreed|argued|agreed|checked|sat down|1:1|date"
            r"|caught up|catching up) (?:up )?with $",
            r"(?:^|[.!?\n] ?)(?i:hi|hey|hello|dear|thanks|thank you|sorry|congrats|bye),? $",
        ),
    ),
    (
        _K.AGENT,
        _all(r"\b(?i:agent|bot|chatbot|assistant)(?: called| named| is)? [\"'“]?$"),
    ),
    (
        _K.PROJECT,
        _all(
            r"\b(?i:project|repo|repository|codename|codenamed|code name|prototype|app)"
            r"(?: is)?(?: called| named|:)? [\"'“]?$",
        ),
    ),
    (
        _K.ORGANISATION,
        _all(
            r"\b(?i:work|works|worked|working|job|intern|interns|interned|interning|employed"
            r"|position|interview|interviewed|interviewing|role|internship|engineer|nurse|analyst"
            r"|developer|designer|scientist|researcher|manager|consultant|lawyer) (?:at|for) $",
            r"\b(?i:joined|joining|co-?founded|founded|acquired by|acquired|hired by|startup called"
            r"|company called|startup|employer|employer is|(?:CEO|CTO|CFO|founder|head|director) of"
            r"|team at|offer from|fired from|laid off from|shares? (?:of|in)|funded by) $",
        ),
    ),
    (
        _K.EVENT,
        _all(
            r"\b(?i:attend|attends|attended|attending|spoke at|speaking at|talk at"
            r"|keynote at) (?:the )?$"
        ),
    ),
    (
        _K.PLACE,
        _all(
            r"\b(?i:move|moves|moved|moving|relocate|relocated|relocating|travel|travels|travelled"
            r"|traveled|travelling|traveling|flew|fly|flying|drove|drive|driving|trip|trips|flight"
            r"|flights|train|ticket|tickets|journey|road|holiday|came back|went|going|go"
            r"|headed|heading) (?:back |over |down |up |here )?to (?:the )?$",
            r"\b(?i:live|lives|lived|living|born|raised|based|grew up|grow up|stay|stayed|staying"
            r"|located|vacation|holiday|house|apartment|flat|office|hometown|settled|landed|arrived"
            r"|office is|takes place|took place|held|meeting|wedding|hiking|camping|skiing"
            r"|city|weekend|week|months?|years?|days) (?:\w+ )?"
            r"(?:in|near|outside|around) (?:the )?$",
            r"\b(?i:visit|visits|visited|visiting|climb|climbed|explore|explored|left for"
            r"|come from|comes from|came from|is from|are from|am from|['’]m from|originally from"
            r"|drove from|moved from|flew from|hometown is|capital of) (?:the )?$",
        ),
    ),
    (
        _K.TECHNOLOGY,
        _all(
            r"\b(?i:written|rewritten|rewrote|rewrite|implemented|coded|programming|code)"
            r" (?:it |\w+ )?(?:in|with) $",
            r"\b(?i:migrat\w+|switch\w*|upgrad\w+|port\w*) (?:\w+ ){0,2}?(?:to|from) $",
            r"\b(?i:install|installs|installed|installing|built with|build with|built on|powered by"
            r"|deployed on|deployed with|runs on|library|framework|language|database|tool|package"
            r"|plugin|compiler)(?: called| named)? $",
        ),
    ),
    (
        _K.ITEM,
        _all(
            r"\b(?i:read|reading|reread|watch|watched|watching|rewatched|book|novel|film|movie|album"
            r"|song|series|show|podcast|painting)(?: is| called| named| titled)?[ ,]*[\"'“‘«]?$",
        ),
    ),
)
_AFTER: tuple[tuple[EntityKind, re.Pattern[str]], ...] = (
    (
        _K.PERSON,
        _all(
            r" (?:said|says|asked|asks|told|tells|thinks|thought|laughed|smiled|replied|cooked"
            r"|texted|emailed|mentioned|suggested|agreed|cried|married|loves|hates|sings|lives"
            r"|studied|studies|graduated|retired)\b",
            rf",? (?:and )?(?i:my|his|her|our|their) (?i:{_ROLES})\b",
            r" and I\b",
            rf"['’]s? (?i:{_ROLES}|birthday|wedding|boyfriend|car|phone|advice|feedback|opinion)\b",
            r",? who (?:is|was|works|lives|has|loves)\b",
        ),
    ),
    (_K.AGENT, _all(r" (?:agent|bot|chatbot|assistant)\b")),
    (
        _K.PROJECT,
        _all(r" (?:project|repo|repository|codebase|prototype|kickoff|roadmap|backlog)\b"),
    ),
    (
        _K.TECHNOLOGY,
        _all(
            r" (?:library|framework|database|cluster|SDK|plugin|package|compiler|script|scripts"
            r"|container|runtime|driver|migration|API)\b",
        ),
    ),
    (
        _K.ORGANISATION,
        _all(r" (?:employees?|shares|stock|acquired|hired|headquarters|announced)\b"),
    ),
    (_K.PLACE, _all(r" (?:airport|city cent(?:er|re)|suburb|province|village|beach)\b")),
)
_BEFORE_CHARS = 60
_AFTER_CHARS = 40


def kind_by_form(tokens: Sequence[str]) -> EntityKind:
    """The kind that a word of the name tells; UNKNOWN if none does."""
    if len(tokens) < 2:
        return _K.UNKNOWN
    if "of" in tokens[1:-1]:
        head = tokens[tokens.index("of") - 1]
        found = next((kind for kind, heads in _OF.items() if head in heads), _K.UNKNOWN)
        if found is not _K.UNKNOWN:
            return found
    first = next((kind for kind, heads in _FIRST.items() if tokens[0] in heads), _K.UNKNOWN)
    return next((kind for kind, last in _LAST.items() if tokens[-1] in last), first)


def kind_by_cue(text: str, start: int, end: int) -> EntityKind:
    """The kind that the words before and after a name tell; UNKNOWN if they tell none."""
    before = text[max(0, start - _BEFORE_CHARS) : start]
    for kind, pattern in _BEFORE:
        if pattern.search(before):
            owned = kind is _K.PLACE and re.match(r"['’]s? ", text[end : end + 3])
            return _K.UNKNOWN if owned else kind
    after = text[end : end + _AFTER_CHARS]
    return next((kind for kind, pattern in _AFTER if pattern.match(after)), _K.UNKNOWN)
