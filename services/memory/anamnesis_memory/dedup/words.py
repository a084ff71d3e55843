"""Closed lists of words that the guard reads: what says nothing, and what says the same.

Function words and general synonyms, no names: each list is about the language, not about a subject.
"""

import re

_FUNCTION_WORDS = """
a an the this that these those it its they them their there here he she his her we our us
you your i my me and or but so as because since for of to in on at by with from into onto
is are was were be been being am do does did done has have had having will would shall
should can could may might must need ought which who whom whose what where how than then
too also very just merely only simply please get gets got come comes came cause causes
caused due reason owing thus hence therefore less more fewer greater least most way make
makes made sure let lets one ones some any such other another own now always otherwise
else ourselves itself up out
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
"""English words that carry no subject; negators, conditions and directions are read apart."""

FUNCTION_CHARS = frozenset(
    "的了着过地得是在就才也还又再把被给对和与及或而且但则即便所以因为由于要应该需须必会能可以"
    "请让使这那此其该它他她我你们个每一之做法用当改设为有到去来"
)
"""Chinese characters that are mostly grammar."""

FUNCTION_PHRASES = re.compile(
    "不然|否则|因为|所以|因此|由于|原因|一定|务必|必须|应该|应当|需要|可以|之前|之后|以前|以后|时候|然后|以及|如果"
    "|[期之]间|而是|这样|那样|说明|上面|下面|其中|里面|[当其]中|(?<=[\u4e00-\u9fff])[里上中](?=[\u4e00-\u9fff的,])"
    "|先(?!生)|(?<![小定及临准同实])时(?![间区长刻效钟])|后(?![端台缀门方果勤续])"
)
"""Chinese words of grammar; order and conditions are read apart."""

_ALIASES = {
    "postgresql": "postgres",
    "js": "javascript",
    "ts": "typescript",
    "py": "python",
    "golang": "go",
    "db": "database",
    "repo": "repository",
    "config": "configuration",
    "conf": "configuration",
    "env": "environment",
    "app": "application",
    "auth": "authentication",
    "docs": "documentation",
    "doc": "documentation",
    "dir": "directory",
    "msg": "message",
    "param": "parameter",
    "params": "parameter",
    "prod": "production",
    "dev": "development",
    "osx": "macos",
    "win": "windows",
    "pr": "pull request",
    "tz": "timezone",
    "vscode": "vs code",
}

_SYNONYMS = (
    "check verify confirm validate ensure",
    "use employ utilise utilize adopt",
    "delete remove erase drop",
    "fix repair solve resolve mend cure",
    "error fault failure bug mistake",
    "fast quick rapid quickly",
    "big large huge",
    "small little tiny",
    "show display",
    "start begin launch",
    "stop halt end finish",
    "build create",
    "require want expect",
    "immediately instantly once straightaway",
    "often frequently",
    "rarely seldom",
    "buy purchase",
    "pick choose select",
    "keep store save hold",
    "run execute",
    "crash die break",
    "older earlier",
    "newer later",
    "send post",
    "tell inform",
    "talk speak",
    "ask request",
    "put place",
)
_GROUP = {word: line.split()[0] for line in _SYNONYMS for word in line.split()}
NUMERONYM = re.compile(r"([a-z])(\d{1,2})([a-z])")
_SHORT = 3
_OMITTING_TWICE = re.compile(
    r"(?:\b(?:never|(?:do|does|did|must|should|can)(?: not|n't)|cannot|without|not)|(?<=\w)n't)"
    r"\s(?:to )?"
    r"(?:skip|forget|omit|miss|neglect|ignor|fail)\w*(?:\s(?:to|on|about)\b)?"
    r"|(?:绝不?|决不|不要?|切勿|请勿|别|不得|不许|勿)(?:能|可以?|会|要)?(?:跳过|忘记?|忘了|省略|漏掉?|忽略|省掉|略过)",
    re.IGNORECASE,
)


def without_double_negation(text: str) -> str:
    """Blank what two negators make: `never skip the check` asks for the check. Same length."""
    return _OMITTING_TWICE.sub(lambda found: " " * len(found[0]), text)


def canonical(word: str) -> str:
    """One form for a word, its inflections, its short form and its synonyms; lower case."""
    word = word.removesuffix("'s").removesuffix("'")
    known = _ALIASES.get(word, word)
    return _GROUP.get(known) or _GROUP.get(stem(known)) or stem(known)


def stem(word: str) -> str:
    """Cut the commonest English endings; what is left need not be a word."""
    for ending, put in (("ies", "y"), ("ing", ""), ("ied", "y"), ("ed", ""), ("es", ""), ("s", "")):
        kept = word.removesuffix(ending)
        if kept != word and len(kept) >= _SHORT and not word.endswith("ss"):
            return _bare(kept + put)
    return _bare(word)


def _bare(word: str) -> str:
    """Without a doubled or silent last letter, so that `stop` meets `stopped`."""
    if len(word) > _SHORT and word[-1] == "e":
        return word[:-1]
    if len(word) > _SHORT and word[-1] == word[-2] and word[-1] not in "aeiousl":
        return word[:-1]
    return word


def numeronym(word: str, of: frozenset[str]) -> str:
    """The word of `of` that a numeronym (`k8s`, `i18n`) stands for, else the word itself."""
    found = NUMERONYM.fullmatch(word)
    if not found:
        return word
    first, left_out, last = found[1], int(found[2]), found[3]
    return next(
        (w for w in sorted(of) if len(w) == left_out + 2 and w[0] == first and w[-1] == last), word
    )
