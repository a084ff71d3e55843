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

from anamnesis_libs.redaction.credentials import CREDENTIALS
from anamnesis_libs.redaction.prose import PROSE
from anamnesis_libs.redaction.providers import GITLAB, PROVIDERS
from anamnesis_libs.redaction.recogniser import (
    END,
    NOT_AFTER_A_TAG,
    START,
    Recogniser,
    recogniser,
    starts_of,
)
from anamnesis_libs.redaction.values import is_placeholder, is_token

_PEM = (
    # Whole: up to the next run of five dashes, which must be the end mark.
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]*+(?:-(?!----)[^-]*+)*-----END [A-Z0-9 ]{0,60}-----"
    # Cut off: as many lines of base64 as there are, line breaks possibly escaped.
    r"|(?:(?:\\{1,2}[nr]|\s)*[A-Za-z0-9+/=]{16,}+)*)"
)
_LLM_KEY = (
    rf"{START}(?:sk-(?:(?:proj|ant|svcacct|admin|None|or|lf)-[A-Za-z0-9_-]{{16,}}"
    r"|(?:[A-Za-z0-9]{1,10}-){0,3}[A-Za-z0-9_]{16,}[A-Za-z0-9_-]*)"
    r"|(?:gsk_|hf_|xai-)[A-Za-z0-9]{30,})"
)
_GITHUB = rf"{START}(?:gh[opsur]_[A-Za-z0-9]{{20,}}|github_pat_[A-Za-z0-9_]{{20,}})"
_JWT = (
    # Starts only where a run of its alphabet starts: a run without dots is scanned once.
    rf"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])){NOT_AFTER_A_TAG}"
    r"eyJ[A-Za-z0-9_-]{8,}+\.(?:[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}"
    # Without a signature the last part is empty.
    r"|eyJ[A-Za-z0-9_-]{6,}+\.(?![A-Za-z0-9_-]))"
)
_SLACK = (
    # Digits open what a workspace is given; a picture's name has them at its end.
    rf"{START}xox[a-z]-(?=[A-Za-z]{{0,2}}[0-9]|[A-Za-z0-9-]{{24}})[A-Za-z0-9-]{{16,}}+(?!#)"
)
_SLACK_CUES = ("https://hooks.slack", "http://hooks.slack", "hooks.slack.com")
_SLACK_HOOK = r"(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"
_STRIPE = rf"{START}(?:[rs]k_(?:live|test|prod)_[A-Za-z0-9]{{16,}}|whsec_[A-Za-z0-9+/]{{24,}})"
_AWS_ID = rf"{START}A(?:[KS]I|BI|CC)A[A-Z0-9]{{16}}{END}"
_AZURE_HEAD = "[A-Za-z0-9_~.-]{3}[0-9]Q~"
_AZURE_SECRET = rf"{START}{_AZURE_HEAD}[A-Za-z0-9_~.-]{{31,34}}(?![A-Za-z0-9_~-])"
_AZURE_CUES = ("accountkey", "account_key", "sharedaccesskey", "shared_access_key")
_AZURE_LONG_KEY = (
    r"(?:account|shared_?access)_?key\\{0,2}[\"']?\s{0,8}[:=]\s{0,8}\\{0,2}[\"']?"
    r"([A-Za-z0-9+/]{40,90}={1,2})"
)
_AWS_LONG_KEY = (
    r"secret_?(?:access_?)?key\\{0,2}[\"']?\s{0,8}[:=]\s{0,8}\\{0,2}[\"']?"
    r"([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=<])"
)
_AUTHORIZATION = (
    r"authorization\\{0,2}[\"']?\s{0,8}[:=,]\s{0,8}\\{0,2}[\"']?"
    r"(?:(?:bearer|basic|token|api-?key|api-?token|oauth|digest)[ \t]{1,8}"
    r"|(?=[^\s0-9\"']{0,64}[0-9])(?=[^\s\"'<]{16}))"
    r"([A-Za-z0-9._~+/=@-]{4,}+)(?![(<{\[])"
)
_BEARER = (
    rf"{START}bearer[ \t]{{1,8}}((?:(?=[A-Za-z._~+/-]{{0,64}}[0-9])[A-Za-z0-9._~+/-]{{12,}}+"
    r"|[A-Za-z0-9_]{24,}+)={0,2})"
)
_BASIC = (
    # Without the header's name in front, padding or a mix of digits and case tells base64
    # from the next word of a sentence.
    rf"{START}[Bb]asic[ \t]{{1,8}}"
    r"((?=[A-Za-z0-9+/]{0,256}=|[A-Za-z+/]{0,64}[0-9])(?=[A-Z0-9+/]{0,64}[a-z])"
    r"(?=[a-z0-9+/]{0,64}[A-Z])[A-Za-z0-9+/]{8,}+={0,2})"
)
_SYSTEM_FOLDERS = r"(?!(?:Shared|Public|Default)(?![A-Za-z0-9._-]))"
_ASCII_NAME = r"[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?"
_HOME_UNIX = (
    # A root of its own, or below one that is known; not a page of a web site.
    r"(?:(?<![A-Za-z0-9._-])|(?<=/mnt/[a-z])|(?<=(?<![A-Za-z0-9._-])/[a-z])|(?<=/var)|(?<=/export))"
    rf"{NOT_AFTER_A_TAG}/(?:home|Users)/"
    rf"{_SYSTEM_FOLDERS}({_ASCII_NAME}(?![A-Za-z0-9])|[^\x00-\x7f]{{1,32}}(?=/))"
)
_HOME_WINDOWS = (
    rf"(?<=(?<![A-Za-z0-9])[A-Za-z]):(?:\\{{1,4}}|/)Users(?:\\{{1,4}}|/){_SYSTEM_FOLDERS}"
    rf"([^\\/:*?\"<>|\r\n]{{1,64}}(?=[\\/])|{_ASCII_NAME}(?![A-Za-z0-9]))"
)

_HOME_FOLDER = (
    # As tools name a folder after a path: -home-jo-work, C--Users-jo-work.
    r"(?:(?<![A-Za-z0-9_.)-])|(?<=(?<![A-Za-z0-9])[A-Za-z]-))-(?:home|Users)-"
    rf"{_SYSTEM_FOLDERS}([A-Za-z0-9_.]{{1,64}})(?=-)"
)


def _is_no_placeholder(text: str, start: int, end: int) -> bool:
    return not is_placeholder(text[start:end])


_GITHUB_CUES = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_")

SECRETS: tuple[Recogniser, ...] = (
    recogniser("PRIVATE_KEY", ("-----begin ",), _PEM),
    recogniser("LLM_API_KEY", ("sk-", "gsk_", "hf_", "xai-"), _LLM_KEY, long=True),
    recogniser("GITHUB_TOKEN", _GITHUB_CUES, _GITHUB, long=True),
    *GITLAB,
    recogniser("AWS_ACCESS_KEY", ("akia", "asia", "abia", "acca"), _AWS_ID, long=True),
    recogniser("AWS_SECRET_KEY", ("secret",), _AWS_LONG_KEY, ignore_case=True),
    recogniser("GOOGLE_API_KEY", ("aiza",), rf"{START}AIza[A-Za-z0-9_-]{{30,}}", long=True),
    recogniser("GOOGLE_API_KEY", ("ya29.",), rf"{START}ya29\.[A-Za-z0-9_-]{{20,}}", long=True),
    recogniser("AZURE_KEY", ("q~",), _AZURE_SECRET, starts=starts_of(_AZURE_HEAD), check=is_token),
    recogniser("AZURE_KEY", _AZURE_CUES, _AZURE_LONG_KEY, ignore_case=True),
    recogniser("SLACK_TOKEN", ("xox",), _SLACK, check=is_token, long=True),
    recogniser("SLACK_TOKEN", ("xapp-",), rf"{START}xapp-[0-9]-[A-Za-z0-9-]{{20,}}"),
    recogniser("SLACK_TOKEN", _SLACK_CUES, _SLACK_HOOK),
    recogniser("STRIPE_KEY", ("sk_", "rk_", "whsec_"), _STRIPE, long=True),
    recogniser("NPM_TOKEN", ("npm_",), rf"{START}npm_[A-Za-z0-9]{{30,}}", long=True),
    recogniser("PYPI_TOKEN", ("pypi-",), rf"{START}pypi-[A-Za-z0-9_-]{{40,}}", long=True),
    recogniser("JWT", ("eyj",), _JWT, long=True),
    recogniser(
        "AUTH_HEADER",
        ("authorization",),
        _AUTHORIZATION,
        ignore_case=True,
        check=_is_no_placeholder,
    ),
    recogniser("AUTH_HEADER", ("bearer",), _BEARER, ignore_case=True, check=_is_no_placeholder),
    recogniser("AUTH_HEADER", ("basic",), _BASIC),
    *CREDENTIALS,
    *PROSE,
    *PROVIDERS,
    recogniser("USER_PATH", ("/home/", "/users/"), _HOME_UNIX),
    recogniser("USER_PATH", (":\\", ":/users/"), _HOME_WINDOWS),
    recogniser("USER_PATH", ("-home-", "-users-"), _HOME_FOLDER),
)
