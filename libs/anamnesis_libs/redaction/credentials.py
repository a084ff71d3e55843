"""Recognisers of credentials that have no form of their own: a word before them tells.

The rules are those of `patterns.py`.
"""

import re

from anamnesis_libs.redaction.recogniser import START, Recogniser, recogniser
from anamnesis_libs.redaction.values import is_code_value, is_placeholder

_URL_USER = r"://((?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,256}+)@"
_URL_CREDENTIALS = r"://([^\s:/@<>\"'`{}]{0,128}:(?!\$?\{)[^\s/<>\"'`]{1,256})@"

_LOGIN_WORD = r"pass(?:word|wd|phrase)|pwd"
_KEY_WORD = r"secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?key|(?:access|private|auth)[_-]key"
_ASSIGN = r"\\{0,2}[\"']?\]?\s{0,8}(?::{1,3}=|\?=|=>|[:=])\s{0,8}"
# A template, a variable, or a tag of ours is not a secret.
_MASK = r"[*•x.]{3,64}+(?![A-Za-z0-9])"
_NOT_A_TEMPLATE = rf"(?!{_MASK})(?!\$?\{{|\$\(|%[({{s]|<[A-Z_]+>|\$[A-Z_]+\b)"
# Inside quotes anything goes but an escaped quote, and a tag of ours.
_ODD = r"<(?![A-Z_]{3,32}>)|\\(?!\\{0,3}[\"'])"
_QUOTED_VALUE = (
    rf"\\{{0,3}}(?:\"{_NOT_A_TEMPLATE}((?:[^\"\n\\<]|{_ODD}){{3,4096}})\\{{0,3}}\""
    rf"|'{_NOT_A_TEMPLATE}((?:[^'\n\\<]|{_ODD}){{3,4096}})\\{{0,3}}')"
)
_CREDENTIAL_QUOTED = rf"(?:{_LOGIN_WORD}|{_KEY_WORD}){_ASSIGN}{_QUOTED_VALUE}"
# `&` ends a value only where the next query parameter begins.
_BARE = r"(?:[^\s\"'`,;&(){}\[\]<>\\]|&(?![A-Za-z0-9_]{1,64}=))"
# A call or an index makes it code; one far behind does not, and is not looked for.
_NOT_CODE = rf"(?!{_BARE}{{0,64}}+[(\[<])"
_CREDENTIAL_BARE = (
    # Unquoted, code and prose look alike: a digit is asked for, and calls, indexing, attributes,
    # number types and (for tokens, which are also counted) plain numbers are left alone.
    rf"(?:(?:{_LOGIN_WORD}){_ASSIGN}"
    rf"|(?:{_KEY_WORD}){_ASSIGN}(?![0-9.,%kKmM_]+(?![A-Za-z0-9])))"
    rf"(?!{_MASK})"
    r"(?!\$|(?:self|cls|this|os|config|settings|env|args|process|request|ctx)\b[.\[])"
    r"(?!(?:u?int|float|bytes|varchar)[0-9]+(?![A-Za-z0-9]))"
    r"(?=[^\s\"'`,;(){}\[\]<>\\0-9]{0,64}[0-9])"
    rf"{_NOT_CODE}({_BARE}{{6,}})"
)
_CREDENTIAL_ENV = (
    # NAME=value as a shell or an .env file has it: upper case, no spaces, any value.
    r"(?:PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|SECRET_KEY|TOKEN|API_KEY|APIKEY|ACCESS_KEY|PRIVATE_KEY)="
    rf"(?!{_MASK})"
    r"(?!\$|(?:True|False|None|null|true|false|os\.)(?![A-Za-z0-9]))"
    rf"{_NOT_CODE}({_BARE}{{3,}})"
)

_CREDENTIAL_ATTRIBUTE = (
    rf"(?:{_LOGIN_WORD}|{_KEY_WORD})[\"']\s{{1,4}}value\s?=\s?[\"'](?!%)([^\"'\n<]{{4,4096}}+)[\"']"
)
_LONG_CUES = ("secret", "token", "creds", "credential", "login", "auth", "api_key", "apikey")
_CREDENTIAL_LONG = (
    # A name that goes on behind the word, and a value that only chance writes.
    r"(?:secret|token|creds?|credentials?|login|auth|api_?key)"
    rf"(?:string|value|[_0-9][_a-z0-9]{{0,31}})?(?<!id){_ASSIGN}\\{{0,2}}[\"']?([A-Za-z0-9+/_-]{{24,}}+={{0,2}})(?![\[(<.#])"
)

_SQL = r"(?:password|identified by)\s{1,8}'([^'\n<]{3,256})'"
# A statement, not prose: a migration too is "identified by" its number.
_SQL_STATEMENT = re.compile(
    r"(?i:password\s{1,8}'$|\b(?:create|alter)\s{1,8}(?:user|role|login)\b|\bgrant\b)|IDENTIFIED BY"
)
_PW = rf"{START}(?:pw|pin){_ASSIGN}(?=[^\s<]{{0,64}}[0-9]){_NOT_CODE}({_BARE}{{4,}})"
_SESSION = (
    r"(?:session(?:_?id)?|sessid|sid|csrf_?token)=(?=[^0-9\s]{0,64}[0-9])(?=[^A-Za-z\s]{0,64}[A-Za-z])"
    r"([A-Za-z0-9%._~+/-]{16,})"
)
_LOGIN_OPTION = (
    r"(?:-u|--user|--proxy-user)[ =]{0,4}[\"']{0,2}"
    r"(?:\{?[A-Za-z0-9._@%+-]{0,128}\}?[\"']?:[\"']?"
    rf"(?!\$|:|{_MASK})([^\s\"'<>]{{2,256}}+)"
    # A token as the user, without a password.
    r"|(?=[^\s0-9:\"']{0,64}[0-9])(?!\$)([^\s\"'<>:]{8,256}+)(?=:[\s\"']))"
)
_FETCHERS = re.compile(r"\b(?:curl|wget|https?)\b")
_LINE_CHARS_MAX = 2_000
_STATEMENT_CHARS_MAX = 400
# A line that ends in a mark of continuation goes on.
_LINE_ENDS = re.compile(r"(?<![\\^`])\r?\n")
_LOGIN_SAMPLES = frozenset(
    ("password", "passwd", "pass", "pwd", "token", "secret", "key", "test", "yyy")
)

_RANDOM_DIGITS_MIN = 2
_WORDS = re.compile(
    r"(?:[A-Za-z]{3,}[_/-]){2}|^[0-9]+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-", re.IGNORECASE
)

_ZH_WORD = "密码|口令|密钥|令牌|授权码"
_ZH_CHAR = r"[A-Za-z0-9!@#$%^&*_+=./?:~|{}\[\]-]"
_DIGIT_AHEAD = rf"(?={_ZH_CHAR}{{0,64}}?[0-9])"
_CREDENTIAL_ZH = (
    rf"(?:(?:{_ZH_WORD})\s{{0,4}}(?:(?:[:：=]|[是为][:：])\s{{0,4}}|[是为]\s{{0,4}}{_DIGIT_AHEAD}"
    rf"|(?:换成|改成|改为|设成|设为|重置为|重置成|填|输入)了?\s{{0,4}}(?:{_DIGIT_AHEAD}|(?={_ZH_CHAR}{{10}}))"
    rf"|\s{{1,4}}(?![A-Za-z_]{{1,64}}[=:])(?={_ZH_CHAR}{{6}}){_DIGIT_AHEAD})"
    rf"|(?:{_LOGIN_WORD}|{_KEY_WORD})\s{{0,4}}[是为]\s{{0,4}}(?={_ZH_CHAR}{{6}}){_DIGIT_AHEAD})"
    rf"[\"'“‘「]?((?![$%]?\{{)(?!{_MASK})(?!{_ZH_CHAR}{{0,64}}+[(<]){_ZH_CHAR}{{4,}}+)"
)


def _logs_in(text: str, start: int, end: int) -> bool:
    """True if the name and password behind an option are for a command that fetches."""
    before = text[max(0, start - _LINE_CHARS_MAX) : start]
    command = _LINE_ENDS.split(before)[-1]
    said = text[start:end]
    return (
        bool(_FETCHERS.search(command))
        and said.lower() not in _LOGIN_SAMPLES
        and not is_placeholder(said)
    )


def _is_value(text: str, start: int, end: int) -> bool:
    """True if what is assigned is a value, neither a stand-in nor an expression."""
    said = text[start:end]
    return not is_placeholder(said) and not is_code_value(said)


def _in_sql(text: str, start: int, _end: int) -> bool:
    """True if a statement of SQL stands before the quoted value, on its line or the ones above."""
    return bool(_SQL_STATEMENT.search(text, max(0, start - _STATEMENT_CHARS_MAX), start))


def _is_random(text: str, start: int, end: int) -> bool:
    """True if the digits and letters of a long value look random, unlike words."""
    said = text[start:end]
    digits = sum(char.isdigit() for char in said)
    return digits >= _RANDOM_DIGITS_MIN and not _WORDS.search(said) and not is_placeholder(said)


_PASSWORD_CUES = ("password", "passwd", "passphrase", "pwd")
_CREDENTIAL_CUES = (
    *_PASSWORD_CUES,
    *("secret", "token", "apikey", "api_key", "api-key"),
    *("access_key", "access-key", "private_key", "private-key", "auth_key", "auth-key"),
)
_ZH_CUES = tuple(_ZH_WORD.split("|"))

CREDENTIALS: tuple[Recogniser, ...] = (
    recogniser("CREDENTIAL", ("://",), _URL_CREDENTIALS),
    recogniser("CREDENTIAL", ("://",), _URL_USER),
    recogniser("CREDENTIAL", ("-u", "--user", "--proxy-user"), _LOGIN_OPTION, check=_logs_in),
    recogniser(
        "CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_QUOTED, ignore_case=True, check=_is_value
    ),
    recogniser("CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_BARE, ignore_case=True, check=_is_value),
    recogniser("CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_ENV, check=_is_value),
    recogniser(
        "CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_ATTRIBUTE, ignore_case=True, check=_is_value
    ),
    recogniser("CREDENTIAL", _LONG_CUES, _CREDENTIAL_LONG, ignore_case=True, check=_is_random),
    recogniser("CREDENTIAL", ("password", "identified by"), _SQL, ignore_case=True, check=_in_sql),
    recogniser("CREDENTIAL", ("pw", "pin"), _PW, ignore_case=True),
    recogniser("CREDENTIAL", ("session", "sessid", "sid", "csrf"), _SESSION, ignore_case=True),
    recogniser("CREDENTIAL", (*_ZH_CUES, *_CREDENTIAL_CUES), _CREDENTIAL_ZH, ignore_case=True),
)
