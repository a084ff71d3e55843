"""Pasted parts of a message: a page, a mail, an article, whose "I" is somebody else's.

It is found by how it is brought in ("I read this page:" at the end of a line), by three quotation
marks around it, and by headings, which nobody says. From an announcement or a heading on all of the
message is taken for pasted: what its sender says after it is lost, which is better than to learn a
stranger's life as theirs.
"""

import re
from collections.abc import Iterator

_SOURCE = (
    r"(?:articles?|(?:web)?pages?|web ?sites?|sites?|posts?|e-?mails?|mails?|letters?|messages?"
    r"|reviews?|blogs?|tweets?|threads?|comments?|transcripts?|excerpts?|passages?|paragraphs?"
    r"|snippets?|abstracts?|lyrics|poems?|chapters?|essays?|stor(?:y|ies)|bios?|biograph(?:y|ies)"
    r"|profiles?|r[eé]sum[eé]s?|cvs?|ads?|listings?|descriptions?|documents?|docs?|texts?|quotes?"
    r"|interviews?|dialogues?|conversations?|scripts?|press releases?|newsletters?|statements?)"
)
_BROUGHT = (
    r"(?:read|found|saw|see|got|received|copied|pasted|forwarded|quot(?:e|ed)|says?|said|wrote"
    r"|writes|reads|sent|sends|goes|following|below|here(?:'s| is| are)|from|this)"
)
_ASKED = (
    r"(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase|edit|improve|correct|shorten"
    r"|polish|critique|analy[sz]e|explain|classify|extract)"
)
_OWN = re.compile(
    rf"\babout (?:me|myself|us)\b|\bmy (?:own )?(?:\w{{1,20}} )?{_SOURCE}\b"
    r"|关于我|我的(?:简介|简历|情况)",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    rf"\b{_BROUGHT}\b[^\n]{{0,120}}\b{_SOURCE}\b|\b{_SOURCE}\b[^\n]{{0,120}}\b{_BROUGHT}\b"
    rf"|\b(?:he|she|they|it|who|\w{{1,40}}) (?:wrote|writes|sent me this|says this|posted)\b"
    rf"|^\W{{0,9}}(?:(?:please|can you|could you)\s)?{_ASKED}\b"
    r"|(?:文章|网页|页面|邮件|帖子|新闻|评论|短文|原文|简介|简历|这段|这篇|以下|下面|转发|转载|翻译|润色"
    r"|总结|改写)",
    re.IGNORECASE,
)
_LINE_CHARS_MAX = 300
_COLON = re.compile(r"[:：]\s{0,20}$")
_GREETING = re.compile(
    r"[:：]\s{1,3}(?=(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|to whom)\b)",
    re.IGNORECASE,
)
"""The colon before a letter in the same line: "here's what the client wrote: Hi team, ..."."""
_HEADING = re.compile(
    r"\s{0,3}#{1,6}\s+\S|\s*(?:about (?:me|us|the author)|bio(?:graphy)?|profile|contact(?: us)?"
    r"|home ?page|faq|作者简介|个人简介|关于(?:作者|我们))\s*:?\s*$",
    re.IGNORECASE,
)
_MARKED = re.compile(r'"""|\'\'\'|“““|”””')


def pasted(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the text that somebody pasted, in order; time is linear in its length."""
    opened: int | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        end = at + len(line)
        if opened is None and _begins(line):
            opened = at if _HEADING.match(line[:_LINE_CHARS_MAX]) else end
        if opened is None and (greeted := _greeted(line)):
            opened = at + greeted
        at = end
    if opened is not None:
        yield from _marked(text[:opened])
        yield opened, len(text)
    else:
        yield from _marked(text)


def _begins(line: str) -> bool:
    """True if a line is a heading or announces somebody else's text."""
    if len(line) > _LINE_CHARS_MAX:
        return False
    if _HEADING.match(line):
        return True
    return bool(_COLON.search(line) and _ANNOUNCES.search(line) and not _OWN.search(line))


def _greeted(line: str) -> int:
    """The place in a line where a letter begins that it announces; 0 for none."""
    colon = _GREETING.search(line[:_LINE_CHARS_MAX])
    lead = line[: colon.start() + 1] if colon is not None else ""
    return colon.start() + 1 if colon is not None and _begins(lead) else 0


def _marked(text: str) -> Iterator[tuple[int, int]]:
    """Spans between two marks; a mark without its closing one opens nothing."""
    marks = list(_MARKED.finditer(text))
    for opening, closing in zip(marks[::2], marks[1::2], strict=False):
        yield opening.start(), closing.end()
