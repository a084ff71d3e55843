"""Cutting what somebody said into sentences, and sentences into clauses that say one thing each.

English is cut at punctuation, at `which`, and at a conjunction that a new subject follows; Chinese
at punctuation. Positions are kept. Decimal points, versions, file names and abbreviations do not
end a sentence.
"""

import re
from collections.abc import Iterator

from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.drafts import Clause, Language

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE_END = re.compile(
    r"(?:(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bSt)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)(?<!\bapprox)"
    r"[.!?…]+[\"'”’)]*(?=\s|$|[\u3400-\u9fff])|[。！？!?]+[”’」』）)]*|\n+)"
)
_SUBJECT = (
    r"(?:I|we|he|she|they|it['’]?s|it|im|ive|i['’]\w+|we['’]\w+|she['’]\w+|he['’]\w+|they['’]\w+"
    r"|my|our|his|her|their|nobody|everyone|everybody)\b"
)
_VERB = (
    r"(?:(?:never|always|now|also|only|then|just|still|usually|mostly|often|really) )?"
    r"(?:[a-z]{3,}ed|grew|went|came|got|had|was|were|bought|sold|took|made|left|met|lost|won"
    r"|became|began|moved|has|is|lives|works|loves|hates|likes"
    r"|prefers|enjoys|runs|plays|speaks|teaches|studies|wants|needs|owns|keeps|can|can['’]t"
    r"|don['’]t|doesn['’]t|didn['’]t|won['’]t|isn['’]t|am|have|hate|love|prefer|live"
    r"|work)\b(?! (?:and|or)\b)"
)
_ENGLISH_CUT = re.compile(
    r"\s*;\s+"
    r"|(?<!final)(?<!decision)(?<!verdict)(?<!settled)(?<!decided)(?<!mind)(?<!rule)\s*:\s+"
    r"|\s+[-–—]+\s+"
    r"|\s*—\s*|\s*\(|\)[,;]?\s*"
    r"|,?\s+(?:which is why|so that|because|although|though|whereas)\s+"
    r"|,?\s+(?=which\b(?! is why))"
    rf"|,?\s+(?:while|until|before|after|since)\s+(?={_SUBJECT})"
    r"|,?\s+but\s+(?=(?:not |really |very |quite |pretty )?(?:good|great|bad|terrible|hopeless"
    r"|rubbish"
    r"|allergic|fluent|fond|not|never|no) )"
    rf"|(?<!\w\wed),?\s+(?:and|but)\s+(?={_VERB})"
    r"|(?<!\w\wed),?\s+and\s+(?=[a-z]{3,9}s? (?:an?|two|three|four|five|some|my|his|her) )"
    rf"|,?\s+(?:and|but|so|or|then|plus|yet)\s+(?=(?:(?:now|then|today|currently|these days"
    rf"|lately|nowadays),? )?{_SUBJECT})"
    r"|,?\s+(?:and|but)\s+(?=[A-Z][\w'’]+\s+(?:is|was|has|had|will|can)\b)"
    r"|,\s+(?:and|but|so|plus|yet|then)\s+"
    r"|,\s+",
    re.IGNORECASE,
)
_APPOSED = re.compile(
    rf"(?i:\b(?:my|our|his|her|their)) (?i:[\w-]+ ){{0,2}}(?i:{words.KIN}|{words.SOCIAL}"
    rf"|{words.PET})"
    r"(?P<comma>, )(?:(?:Dr|Mr|Mrs|Ms)\.? )?[A-Z][\w-]+(?: [A-Z][\w-]+)?(?P<after>,? )(?!and\b"
    r"|or\b|[A-Z])"
)
_CHINESE_CUT = re.compile(
    r"[，,；;：:（）()、]|——+|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])|\s{2,}"
)
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)、）]|[一二三四五六七八九十]、|[①-⑩])\s*")


def language_of(text: str) -> Language:
    """The language whose rules read the text: Chinese where it has more of it than Latin words."""
    han = len(_HAN.findall(text))
    return Language.CHINESE if han and han >= len(_LATIN_WORD.findall(text)) else Language.ENGLISH


def sentences(text: str) -> Iterator[Clause]:
    """Each sentence with its closing mark, list marks cut off."""
    at = number = 0
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    for end in [*ends, len(text)]:
        piece = text[at:end]
        mark = _LIST_MARK.match(piece)
        start = at + (mark.end() if mark else len(piece) - len(piece.lstrip()))
        said = text[start:end].rstrip()
        if any(char.isalnum() for char in said):
            yield Clause(said, start, number, opens=True)
            number += 1
        at = end


def clauses(sentence: Clause, language: Language) -> Iterator[Clause]:
    """The parts of a sentence, in order."""
    cut = _CHINESE_CUT if language is Language.CHINESE else _ENGLISH_CUT
    at, first = 0, True
    kept = _apposed(sentence.text) if language is Language.ENGLISH else frozenset()
    for match in [*cut.finditer(sentence.text), None]:
        end = match.start() if match else len(sentence.text)
        if match and language is Language.CHINESE and _within_a_token(sentence.text, match):
            continue
        if match and match.start() in kept:
            continue
        yield from _clause(sentence, at, end, first)
        first = first and not sentence.text[at:end].strip()
        at = match.end() if match else end


def _apposed(text: str) -> frozenset[int]:
    """Where commas stand that part nobody: those around the name in `my boss, Ada, is away`."""
    return frozenset(
        place
        for match in _APPOSED.finditer(text)
        for place in (match.start("comma"), match.start("after"))
        if place >= 0
    )


def _within_a_token(text: str, cut: re.Match[str]) -> bool:
    """A colon or comma inside a time or a number; a list comma does not part clauses."""
    before, after = text[: cut.start()], text[cut.end() :]
    if cut.group() == "、":
        return True
    return before[-1:].isdigit() and after[:1].isdigit()


def _clause(sentence: Clause, at: int, end: int, first: bool) -> Iterator[Clause]:
    raw = sentence.text[at:end]
    said = raw.strip().rstrip(".!?。！？…~～ ")
    if any(char.isalnum() for char in said):
        start = sentence.start + at + len(raw) - len(raw.lstrip())
        yield Clause(said, start, sentence.sentence, opens=first)
