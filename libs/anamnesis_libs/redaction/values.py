"""Values that are secrets: passwords, keys and codes, told apart from look-alikes.

A value is read by its first `_READ_CHARS` characters, so that a long one costs no more.
"""

import re

from anamnesis_libs.redaction.ordinary import AFTER_OPTIONS, FUNCTION_WORDS, OPENS_TALK, ORDINARY

_READ_CHARS = 256
_PASSWORD_CHARS_MIN = 4
_KEY_CHARS_MIN = 8
_LONG_KEY_CHARS_MIN = 16
_CODE_DIGITS = range(3, 13)
_WORDS_MAX = 12
_FILLER_DISTINCT_MAX = 4
_PLACEHOLDER_CHARS_MAX = 256
_TAIL_CHARS = 20

_PLACEHOLDER = re.compile(
    r"(?:your|put|insert|enter|replace)[-_].*|.*[-_]here|.*[a-z]TokenHere|.*[A-Z]{6,}HERE"
    r"|.*\[[Rr]edacted.*"
    r"|.*(?:\.\.\.|…)|.*(?:xxxxxx|XXXXXX|\*\*\*|###).*|\[[A-Za-z_ -]+\]|[A-Z]+(?:_[A-Z]+)+"
    r"|(?:in)?valid[-_ ]?(?:token|key)|some[-_ ]?(?:token|key)"
    r"|(?:my[-_])?(?:api|access|auth|secret)?[-_]?(?:token|key)|[A-Za-z]{3,5}-your-[a-z-]+",
    re.ASCII,
)
_FILLER = re.compile(
    r"[^A-Za-z0-9]*+([A-Za-z0-9])(?:[^A-Za-z0-9]*+\1){7,}+[^A-Za-z0-9]*+", re.IGNORECASE
)
_TEMPLATE = re.compile(r"\$[A-Za-z_{(]|ENC\[|\{\{|\{[A-Za-z_.]+\}|%[({]|%[sdrv]$|<|@\w+@$|#\{")
_REFERENCE = re.compile(
    r"[a-z]{2,8}://|\.{0,2}/|~/|[A-Za-z]:\\|(?:self|cls|this|os|config|settings|env|args|process"
    r"|request|req|ctx|user|data|form|body|params|options|props|secrets|vault)[.\[]"
    r"|.*\.(?:py|js|ts|tsx|json|ya?ml|toml|env|txt|md|ini|cfg|conf|sh|go|rs|java|pem|jpe?g|png"
    r"|gif|svg|html?)$",
    re.ASCII,
)
_VERSION = re.compile(
    r"(?:[A-Za-z_.:-]*[-:@v])?[0-9]+(?:\.[0-9]+){2,3}(?:[-.][A-Za-z]+)?", re.ASCII
)
_NAMED_THING = re.compile(
    r"[a-z]+(?:[-_][a-z]+)+(?:v?[0-9]{1,2})?|[a-z]+(?:[-_](?:[a-z]+|v?[0-9]{1,4}))+", re.ASCII
)
_TECHNICAL = re.compile(
    r"(?:[0-9][0-9.,]*(?:st|nd|rd|th|%|chars?|digits?|letters?|bits?|bytes?|days?|[kmgt]?i?b|k|m|ms|min|h|hrs?|d|x|px|s)?"
    r"|sha-?(?:1|2|3|224|256|384|512)|md5|base(?:16|32|58|64)(?:url)?|utf-?(?:8|16|32)|oauth2?"
    r"|oauth2\.0|argon2(?:id|i|d)?|pbkdf2|aes-?(?:128|192|256)|[rhep]s(?:256|384|512)|x\.?509|http2"
    r"|ed25519|2fa|u2f|o365|k8s|s3|ec2|1password|web3|mp[34]|v[0-9]+(?:\.[0-9]+)*|rfc-?[0-9]+"
    r"|python[23]|us-?ascii|ipv[46]|saml2?|tls1\.[0-3])(?:[-_/][a-z]+){0,3}",
    re.ASCII | re.IGNORECASE,
)
_DATE = re.compile(r"(?:19|20)[0-9]{2}[-./][0-9]{1,2}(?:[-./][0-9]{1,2})?")
_SYMBOL = re.compile(r"[^\s][!@#$%^&+=~]")
_PLAIN = re.compile(r"[A-Za-z\u00c0-\u024f]{4,32}(?:-[A-Za-z]{2,32}){0,5}")
_WORD_LIKE = re.compile(
    r"[A-Za-z]+(?:ed|ing|ly|able|ible|less|ful|ive|ous|ness|tion|'s)", re.IGNORECASE
)
_NAME_OF_ONE = re.compile(
    r"pass(?:word|wd)|pwd|token|secret|hash|(?-i:[a-z][A-Z].*[a-z][A-Z])", re.IGNORECASE
)
_CODE = re.compile(r"[#*]?[A-Za-z0-9]{1,12}(?:[- ][A-Za-z0-9]{1,12}){0,5}[#*]?", re.ASCII)
_SETTING_TIES = tuple(":=–—-")
_OWNED = re.compile(
    r"(?:^|\s)(?:my|our|his|her|their|your|the)\s(?:[\w'-]{1,20}\s){0,3}\w+\W{1,4}$", re.IGNORECASE
)
_SPOKEN = re.compile(r"(?:[\w'’-]{1,20}[ ,]{1,2}){0,6}\w{2,12}\W{1,4}")
_OPTION = re.compile(r"(?<!\S)--?[a-z]")
_LINE_CHARS = 80
_COUNTED = re.compile(
    r"[ -]?(?:or (?:more|less|fewer)|to [0-9]|char(?:acter)?s?|letters?|digits?|numbers?|symbols?"
    r"|words?|times?|attempts?|tr(?:y|ies)|days?|weeks?|months?|years?|hours?|min(?:ute)?s?"
    r"|sec(?:ond)?s?|bits?|bytes?|percent|people|persons?|users?|photos?|messages?|posts?|tabs?"
    r"|pins?|tokens?|dollars?|lines?|sqm?|nodes?|rows?|files?|pages?|inches|feet|miles|km|points?|items?"
    r"|entries|questions?|%|[$€£])(?![A-Za-z])",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(
    r"[.,;!?)\]*\"']{0,3}(?:\s{0,4}(?:\n|$)|(?<=[.,;!?)])\s"
    r"|\s(?:and|but|btw|so|now|please)(?![A-Za-z])|\s[(/|–—-])"
)


def is_placeholder(value: str) -> bool:
    """True if a value marks the place of a secret: `YOUR_TOKEN`, `xxxx`, `$TOKEN`, `sk-...`."""
    if len(value) > _PLACEHOLDER_CHARS_MAX:
        return False
    return bool(_PLACEHOLDER.fullmatch(value) or _TEMPLATE.match(value) or _FILLER.fullmatch(value))


def is_token(text: str, start: int, end: int) -> bool:
    """True if the end of a value with a provider's prefix varies as a token does."""
    tail = {char for char in text[max(start, end - _TAIL_CHARS) : end].lower() if char.isalnum()}
    return len(tail) > _FILLER_DISTINCT_MAX and not is_placeholder(text[start:end])


def is_code_value(value: str) -> bool:
    """True if a value is a version or a reference, as code and settings hold them."""
    read = value[:_READ_CHARS]
    return bool(_VERSION.fullmatch(read) or _TEMPLATE.match(read))


def is_marked(text: str, start: int, end: int) -> bool:
    """True if a password shows itself: by digits that count nothing, or by an odd sign."""
    value = text[start : min(end, start + _READ_CHARS)]
    if len(value) < _PASSWORD_CHARS_MIN or _is_reference(text, start, end):
        return False
    if value.isdigit():
        return not _COUNTED.match(text, end)
    if _TECHNICAL.fullmatch(value) or _DATE.fullmatch(value):
        return False
    letters = any(char.isalpha() for char in value)
    return letters and (any(char.isdigit() for char in value) or bool(_SYMBOL.search(value)))


def is_password(text: str, start: int, end: int) -> bool:
    """True if a value is a password: marked, in quotes, or a rare word that ends its clause."""
    if not is_login_password(text, start, end):
        return False
    return is_marked(text, start, end) or _is_quoted(text, start) or _is_told(text, start, end)


def is_login_password(text: str, start: int, end: int) -> bool:
    """True if a value is a password, given that a user's name before it announced one."""
    value = text[start : min(end, start + _READ_CHARS)]
    if is_marked(text, start, end):
        return True
    if " " in value:
        return is_phrase(text, start, end)
    if _is_reference(text, start, end) or not _PLAIN.fullmatch(value) or not _is_rare(value):
        return False
    return _is_quoted(text, start) or bool(_CLAUSE_ENDS.match(text, end))


def _is_quoted(text: str, start: int) -> bool:
    return start > 0 and text[start - 1] in "\"'`“‘"


def _is_told(text: str, start: int, end: int) -> bool:
    """True if a word behind a colon is told by somebody: code mostly holds a name there."""
    line = text[text.rfind("\n", max(0, start - _LINE_CHARS), start) + 1 : start][-_LINE_CHARS:]
    tie = line.rstrip(" *\t")[-1:]
    if tie not in _SETTING_TIES:
        return True
    told = bool(_OWNED.search(line)) or (len(line) == start and bool(_SPOKEN.fullmatch(line)))
    return tie != "=" and told and text[start:end].islower()


def is_phrase(text: str, start: int, end: int) -> bool:
    """True if words in quotes are a passphrase and no remark."""
    said = text[start : min(end, start + _READ_CHARS)].split()
    return len(said) <= _WORDS_MAX and said[0].lower() not in OPENS_TALK


def is_bare_phrase(text: str, start: int, end: int) -> bool:
    """True if words without quotes are a passphrase: they hold no function word."""
    said = text[start : min(end, start + _READ_CHARS)].lower().split()
    return FUNCTION_WORDS.isdisjoint(said)


def is_key(text: str, start: int, end: int) -> bool:
    """True if a value is a key or a token: long, of letters and digits, and no name of a thing."""
    value = text[start : min(end, start + _READ_CHARS)]
    if len(value) < _KEY_CHARS_MIN or _is_reference(text, start, end):
        return False
    if _TECHNICAL.fullmatch(value) or _NAMED_THING.fullmatch(value) or _VERSION.fullmatch(value):
        return False
    return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)


def is_long_key(text: str, start: int, end: int) -> bool:
    """True if a value is a key by its length, without a word for a secret right before it."""
    return end - start >= _LONG_KEY_CHARS_MIN and is_key(text, start, end)


def is_code(text: str, start: int, end: int) -> bool:
    """True if a value is a code for a door or an account: digits, no date, counting nothing."""
    value = text[start : min(end, start + _READ_CHARS)]
    digits = sum(char.isdigit() for char in value)
    if digits not in _CODE_DIGITS or not _CODE.fullmatch(value) or _DATE.fullmatch(value):
        return False
    return not _COUNTED.match(text, end)


def is_option_value(text: str, start: int, end: int) -> bool:
    """True if the value of a command's option is a secret, and no word of a sentence."""
    value = text[start : min(end, start + _READ_CHARS)]
    if value.startswith("-") or _is_reference(text, start, end) or value.isupper():
        return is_key(text, start, end)
    counted = value.isdigit() and "token" in text[max(0, start - _KEY_CHARS_MIN) : start].lower()
    if counted or "id=" in value:
        return False
    line = text[text.rfind("\n", max(0, start - _READ_CHARS), start) + 1 : start][-_READ_CHARS:]
    command = len(_OPTION.findall(line)) > 1 or not value.isalpha()
    return command and value.lower() not in FUNCTION_WORDS | AFTER_OPTIONS


def _is_rare(word: str) -> bool:
    """True if a word is neither common beside passwords nor the name of one in code."""
    known = word.lower() in ORDINARY or _WORD_LIKE.fullmatch(word)
    return not known and not _NAME_OF_ONE.search(word)


def _is_reference(text: str, start: int, end: int) -> bool:
    """True if a value refers to another: a template, a path, an address, a call."""
    value = text[start : min(end, start + _READ_CHARS)]
    called = "(" in value or text[end : end + 1] in ("(", "[")
    return (
        called
        or text.startswith(("...", "…"), end)
        or is_placeholder(value)
        or bool(_REFERENCE.match(value))
    )
