r"""Our own secret recognisers, as one table.

Rules of this file:
- Group 1, or whichever single group takes part in the match, is what is replaced; without one, the
  whole match. Key names, header names and the rest of a path stay.
- A match starts at one of its `cues`, lower-case literals that are searched for first: a pattern
  is tried only where one stands, which is what makes ordinary text cheap.
- A letter or digit glued before a token makes it another word. CJK characters do not: boundaries
  are spelled out in ASCII, because `\b` and `\w` take Han characters for letters.
- Every pattern is linear: what a start can scan in vain is bounded by a count, or ends where the
  next start could be; possessive quantifiers give nothing back.
- No pattern matches a replacement tag or grows because a neighbour became one: `<` ends a token.
- On a tie the earlier row names the kind, so the special comes before the general.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recogniser:
    """One kind of secret: how to find it, and the tag that takes its place."""

    kind: str
    cues: tuple[str, ...]
    regex: re.Pattern[str]
    tag: str


_TAGS = (
    *("<PRIVATE_KEY>", "<LLM_API_KEY>", "<GITHUB_TOKEN>", "<AWS_ACCESS_KEY>", "<AWS_SECRET_KEY>"),
    *("<GOOGLE_API_KEY>", "<SLACK_TOKEN>", "<STRIPE_KEY>", "<JWT>"),
    *("<REDACTED_TOKEN>", "<REDACTED_CREDENTIAL>", "<USER>"),
)
# What was glued to a secret stays glued when a tag has taken the secret's place.
_NOT_AFTER_A_TAG = "".join(f"(?<!{tag})" for tag in _TAGS)
_START = rf"(?<![A-Za-z0-9]){_NOT_AFTER_A_TAG}"

_PEM = (
    # Whole: up to the next run of five dashes, which must be the end mark.
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END [A-Z0-9 ]{0,60}-----"
    # Cut off: as many lines of base64 as there are, line breaks possibly escaped.
    r"|(?:(?:\\{1,2}[nr]|\s)*+[A-Za-z0-9+/=]{16,}+)*+)"
)
_LLM_KEY = (
    rf"{_START}(?:sk-(?:(?:proj|ant|svcacct|admin|None|or|lf)-[A-Za-z0-9_-]{{16,}}"
    r"|(?:[A-Za-z0-9]{1,10}-){0,3}[A-Za-z0-9_]{16,}[A-Za-z0-9_-]*)"
    r"|(?:gsk_|hf_|xai-)[A-Za-z0-9]{30,})"
)
_GITHUB = rf"{_START}(?:gh[opsur]_[A-Za-z0-9]{{20,}}|github_pat_[A-Za-z0-9_]{{20,}})"
_JWT = (
    # Starts only where a run of its alphabet starts: a run without dots is scanned once.
    rf"(?<![A-Za-z0-9_-]){_NOT_AFTER_A_TAG}"
    r"eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}"
)
_AWS_LONG_KEY = (
    r"secret_?(?:access_?)?key\\{0,2}[\"']?\s{0,8}[:=]\s{0,8}\\{0,2}[\"']?"
    r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=<])"
)
_AUTHORIZATION = (
    r"authorization\\{0,2}[\"']?\s{0,8}[:=,]\s{0,8}\\{0,2}[\"']?(?:bearer|basic|token)[ \t]{1,8}"
    r"([A-Za-z0-9._~+/=-]{4,}+)(?![(<{\[])"
)
_BEARER = (
    rf"{_START}bearer[ \t]{{1,8}}((?:(?=[A-Za-z._~+/-]{{0,64}}[0-9])[A-Za-z0-9._~+/-]{{12,}}+"
    r"|[A-Za-z0-9_]{24,}+)={0,2})"
)
_BASIC = (
    # Without the header's name in front, padding or a mix of digits and case tells base64
    # from the next word of a sentence.
    rf"{_START}[Bb]asic[ \t]{{1,8}}"
    r"((?=[A-Za-z0-9+/]{0,256}=|[A-Za-z+/]{0,64}[0-9])(?=[A-Z0-9+/]{0,64}[a-z])"
    r"(?=[a-z0-9+/]{0,64}[A-Z])[A-Za-z0-9+/]{8,}+={0,2})"
)
_URL_CREDENTIALS = r"://([^\s:/@<>\"'`{}]{0,128}:(?!\$?\{)[^\s/<>\"'`]{1,256})@"

_LOGIN_WORD = r"pass(?:word|wd|phrase)|pwd"
_KEY_WORD = r"secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?key|(?:access|private|auth)[_-]key"
_ASSIGN = r"\\{0,2}[\"']?\]?\s{0,8}(?::=|=>|[:=])\s{0,8}"
# A template, a variable, or a tag of ours is not a secret.
_NOT_A_TEMPLATE = r"(?!\$?\{|\$\(|%[({s]|<[A-Z_]+>|\$[A-Z_]+\b)"
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
    r"(?!\$|(?:self|cls|this|os|config|settings|env|args|process|request|ctx)\b[.\[])"
    r"(?!(?:u?int|float|bytes|varchar)[0-9]+(?![A-Za-z0-9]))"
    r"(?=[^\s\"'`,;(){}\[\]<>\\0-9]{0,64}[0-9])"
    rf"{_NOT_CODE}({_BARE}{{6,}}+)"
)
_CREDENTIAL_ENV = (
    # NAME=value as a shell or an .env file has it: upper case, no spaces, any value.
    r"(?:PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|SECRET_KEY|TOKEN|API_KEY|APIKEY|ACCESS_KEY|PRIVATE_KEY)="
    r"(?!\$|(?:True|False|None|null|true|false|os\.)(?![A-Za-z0-9]))"
    rf"{_NOT_CODE}({_BARE}{{3,}}+)"
)
_ZH_CHAR = r"[A-Za-z0-9!@#$%^&*_+=./?:~|{}\[\]-]"
_CREDENTIAL_ZH = (
    r"(?:密码|口令|密钥|令牌)\s{0,4}(?:(?:[:：=]|[是为][:：])\s{0,4}"
    r"|[是为]\s{0,4}(?=[^\s0-9<]{0,64}[0-9]))[\"'“‘「]?"
    rf"((?![$%]?\{{)(?!{_ZH_CHAR}{{0,64}}+[(<]){_ZH_CHAR}{{4,}}+)"
)

_SYSTEM_FOLDERS = r"(?!(?:Shared|Public|Default)(?![A-Za-z0-9._-]))"
_ASCII_NAME = r"[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?"
_HOME_UNIX = (
    # A root of its own, or below one that is known; not a page of a web site.
    r"(?:(?<![A-Za-z0-9._-])|(?<=/mnt/[a-z])|(?<=(?<![A-Za-z0-9._-])/[a-z])|(?<=/var)|(?<=/export))"
    rf"{_NOT_AFTER_A_TAG}/(?:home|Users)/"
    rf"{_SYSTEM_FOLDERS}({_ASCII_NAME}(?![A-Za-z0-9])|[^\x00-\x7f]{{1,32}}(?=/))"
)
_HOME_WINDOWS = (
    rf"(?<=(?<![A-Za-z0-9])[A-Za-z]):(?:\\{{1,4}}|/)Users(?:\\{{1,4}}|/){_SYSTEM_FOLDERS}"
    rf"([^\\/:*?\"<>|\r\n]{{1,64}}(?=[\\/])|{_ASCII_NAME}(?![A-Za-z0-9]))"
)


def _recogniser(
    kind: str, cues: tuple[str, ...], pattern: str, *, tag: str = "", ignore_case: bool = False
) -> Recogniser:
    flags = re.ASCII | (re.IGNORECASE if ignore_case else re.NOFLAG)
    return Recogniser(kind, cues, re.compile(pattern, flags), tag or f"<{kind}>")


_PASSWORD_CUES = ("password", "passwd", "passphrase", "pwd")
_CREDENTIAL_CUES = (
    *_PASSWORD_CUES,
    *("secret", "token", "apikey", "api_key", "api-key"),
    *("access_key", "access-key", "private_key", "private-key", "auth_key", "auth-key"),
)
_AUTH, _CREDENTIAL = "<REDACTED_TOKEN>", "<REDACTED_CREDENTIAL>"

RECOGNISERS = (
    _recogniser("PRIVATE_KEY", ("-----begin ",), _PEM),
    _recogniser("LLM_API_KEY", ("sk-", "gsk_", "hf_", "xai-"), _LLM_KEY),
    _recogniser("GITHUB_TOKEN", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), _GITHUB),
    _recogniser(
        "AWS_ACCESS_KEY", ("akia", "asia"), rf"{_START}A[KS]IA[A-Z0-9]{{16}}(?![A-Za-z0-9])"
    ),
    _recogniser("AWS_SECRET_KEY", ("secret",), _AWS_LONG_KEY, ignore_case=True),
    _recogniser("GOOGLE_API_KEY", ("aiza",), rf"{_START}AIza[A-Za-z0-9_-]{{30,}}"),
    _recogniser("SLACK_TOKEN", ("xox",), rf"{_START}xox[a-z]-[A-Za-z0-9-]{{10,}}"),
    _recogniser("STRIPE_KEY", ("sk_live_", "rk_live_"), rf"{_START}[rs]k_live_[A-Za-z0-9]{{16,}}"),
    _recogniser("JWT", ("eyj",), _JWT),
    _recogniser("AUTH_HEADER", ("authorization",), _AUTHORIZATION, tag=_AUTH, ignore_case=True),
    _recogniser("AUTH_HEADER", ("bearer",), _BEARER, tag=_AUTH, ignore_case=True),
    _recogniser("AUTH_HEADER", ("basic",), _BASIC, tag=_AUTH),
    _recogniser("CREDENTIAL", ("://",), _URL_CREDENTIALS, tag=_CREDENTIAL),
    _recogniser(
        "CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_QUOTED, tag=_CREDENTIAL, ignore_case=True
    ),
    _recogniser(
        "CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_BARE, tag=_CREDENTIAL, ignore_case=True
    ),
    _recogniser("CREDENTIAL", _CREDENTIAL_CUES, _CREDENTIAL_ENV, tag=_CREDENTIAL),
    _recogniser("CREDENTIAL", ("密码", "口令", "密钥", "令牌"), _CREDENTIAL_ZH, tag=_CREDENTIAL),
    _recogniser("USER_PATH", ("/home/", "/users/"), _HOME_UNIX, tag="<USER>"),
    _recogniser("USER_PATH", (":\\", ":/users/"), _HOME_WINDOWS, tag="<USER>"),
)
