"""Recognisers of secrets that somebody tells in an English sentence.

"My password is ...", "the gate code is ...", "username admin, password ...", `--token ...`: a word
for a secret, what ties it to a value, and the value, which `values.py` judges, because the same
words begin ordinary talk: "the password is too long". The rules are those of `patterns.py`.
"""

import re

from anamnesis_libs.redaction.recogniser import START, Recogniser, recogniser
from anamnesis_libs.redaction.values import (
    is_bare_phrase,
    is_code,
    is_key,
    is_login_password,
    is_long_key,
    is_marked,
    is_option_value,
    is_password,
)

_PASSWORD = (
    rf"(?:{START}(?:pass(?:words?|wd|phrase|[ -]?code)|pwd|pw)"
    r"|(?:(?<=wifi)|(?<=wi-fi)|(?<=network))[ ]key)"
)
_PASSWORD_CUES = ("pass", "pw", " key")
_KEY = (
    rf"(?:{START}(?:token|secret|creds|credentials?|apikey)"
    r"|(?:(?<=api)|(?<=secret)|(?<=access)|(?<=private)|(?<=encryption)|(?<=signing)|(?<=auth)"
    r"|(?<=account)|(?<=license)|(?<=recovery)|(?<=master)|(?<=service))[ _-]?(?:key|token|secret))"
)
_NOT_OF_DATA = (
    r"(?<!public)(?<!primary)(?<!foreign)(?<!cache)(?<!sort)(?<!partition)(?<!idempotency)"
)
_NO_TICKET = (
    rf"{START}(?<!boarding )(?<!bus )(?<!train )(?<!ski )(?<!season )(?<!day )(?<!mountain )"
)
_KEY_CUES = ("token", "secret", "cred", "apikey", " key", "-key", "_key")
_PIN = rf"{START}(?:pin|otp)(?:[ -]?(?:code|number|no\.?))?"
_CODE_OF = (
    r"(?:(?<=gate)|(?<=door)|(?<=bike)|(?<=alarm)|(?<=entry)|(?<=entrance)|(?<=access)"
    r"|(?<=garage)|(?<=lock)|(?<=locker)|(?<=lockbox)|(?<=safe)|(?<=keypad)|(?<=security)"
    r"|(?<=elevator)|(?<=apartment)|(?<=vault)|(?<=unlock)|(?<=intercom)"
    r"|(?<=verification)|(?<=one-time)|(?<=login)|(?<=backup)|(?<=recovery)|(?<=2fa)|(?<=otp))"
    r"[ -](?:codes?|combination|combo)"
)
_PLACES = (
    r"(?:gate|door|garage|alarm|safe|lock|locker|lockbox|building|house|apartment|flat|office|shed"
    r"|elevator|vault|keypad|bike|suitcase|mailbox|storage|intercom|entrance)"
)
_CODE_FOR = (
    rf"{START}(?:code|combination)\s(?:to (?:get in|enter)|(?:to|for|of|on)"
    rf"\s(?:(?:the|my|our|your|his|her|their|open)\s){{0,2}}(?:[a-z]{{1,16}}\s){{0,2}}{_PLACES})"
)

_FOR = r"(?:\s(?:for|to|of|on|at|in|that|i|we)(?:\s[a-z0-9'_./-]{1,32}){1,5}?)?"
_ADVERB = r"(?:\s(?:now|still|just|actually|currently|always|simply|literally|probably))?"
_IS = rf"(?:'s|\s(?:is|was|are)){_ADVERB}(?:\s?:)?\s{{1,3}}"
_COLON = r"(?:[ \t]?[:=][ \t]{0,4}|[ \t][–—-][ \t])"
_TIE = rf"(?:{_IS}|{_COLON})"
# `&` ends a value only where the next query parameter begins.
_CHAR = r"(?:[A-Za-z0-9!#$%+/=@^_{|}~\\\u00c0-\u024f-]|&(?![A-Za-z0-9_]{1,64}=))"
_SIGN = r"[.,;:?()\[\]*']"
_BARE = rf"((?:{_CHAR}|{_SIGN}(?={_SIGN}{{0,3}}{_CHAR}))+)"
_QUOTED = (
    r"\"([^\"\n<]{3,128})\"|'([^'\n<]{3,128})'|`([^`\n<]{3,128})`|“([^”\n<]{3,128})”"
    r"|‘([^’\n<]{3,128})’"
)
_VALUE = rf"(?:\*{{0,2}}(?:{_QUOTED}|{_BARE}))"
_NUMBER = r"[\"'`*]{0,3}([#*]?[0-9][0-9#*-]{2,15}+)(?!\.?[A-Za-z0-9])"
_CLAUSE_ENDS = (
    r"(?=[.,;:!?)]|\s{0,3}(?:\n|$)|\s(?:and|or|but|to|for|on|at|then|please|now|works?|opens?"
    r"|unlocks?|gets?|is|was)(?![a-z]))"
)
_PHRASE = r"([a-z]{2,16}(?:[ -][a-z]{2,16}){2,11})(?=[.!]?\s{0,4}(?:\n|$))"

_LOGIN = (
    rf"{START}(?:user ?name|user|login|log in as)(?:\s(?:is|was)|\s?[:=])?\s{{1,3}}"
    r"(?!(?:and|or|with|name|id|email|the)(?![a-z0-9]))[^\s,;:/<]{1,64}"
    r"(?:\s?[,;/]\s?|\s(?:and|with)\s|[ \t]{0,2}\n[ \t-]{0,16})(?:(?:the|a|my|your)\s)?"
    rf"pass(?:word)?(?:{_TIE}|\s){_VALUE}"
)
_OPTION = (
    r"--(?:[a-z0-9]{1,16}-){0,3}(?:password|passwd|passphrase|pass|pin|token|secret"
    r"|(?:api|secret|access|auth|private)-?key|apikey)(?:=|[ \t]{1,4})"
    rf"{_VALUE}"
)
_LOGS_IN = (
    rf"{START}(?:sshpass\s{{1,4}}-p\s{{0,4}}|docker login\s[^\n|;]{{0,200}}?(?<=\s)-p\s{{1,4}}"
    rf"|mysql(?:dump|admin)?\s[^\n|;]{{0,200}}?(?<=\s)-p(?=[^\s-])){_VALUE}"
)
_SAYS_AFTER = re.compile(
    r"\s(?:is|as)\s(?:my|the|our|your|his|her|their)(?:\s[a-z0-9'-]{1,20}){0,2}"
    r"\s(?:pass(?:word|phrase|code)|pin(?: code)?|api key|token)(?![a-z0-9_-])"
    r"(?=[.,;!?)]|\s{0,3}(?:\n|$)|\s(?:for|and|but|to|on|at|in|so|now|btw)(?![a-z]))",
    re.IGNORECASE | re.ASCII,
)
_TOLD_CHARS_MAX = 64


def _told_before(text: str) -> list[int]:
    """Starts of the values that stand before "is my password"."""
    starts: list[int] = []
    for said in _SAYS_AFTER.finditer(text):
        start = said.start()
        while start > max(0, said.start() - _TOLD_CHARS_MAX) and not text[start - 1].isspace():
            start -= 1
        starts.append(start)
    return starts


def _is_mixed(text: str, start: int, end: int) -> bool:
    """True if a value without a verb before it is a password: it has a digit and a letter."""
    mixed = any(char.isalpha() for char in text[start : min(end, start + _TOLD_CHARS_MAX)])
    return mixed and is_marked(text, start, end)


PROSE: tuple[Recogniser, ...] = (
    recogniser(
        "CREDENTIAL",
        _PASSWORD_CUES,
        rf"{_PASSWORD}{_FOR}{_TIE}{_VALUE}",
        ignore_case=True,
        check=is_password,
    ),
    recogniser(
        "CREDENTIAL",
        _PASSWORD_CUES,
        rf"{_PASSWORD}{_FOR}\s(?:to|as)\s{_VALUE}",
        ignore_case=True,
        check=is_marked,
    ),
    recogniser(
        "CREDENTIAL",
        _PASSWORD_CUES,
        rf"{_PASSWORD}\s{_VALUE}",
        ignore_case=True,
        check=_is_mixed,
    ),
    recogniser(
        "CREDENTIAL",
        ("passphrase", "seed phrase", "recovery phrase"),
        rf"{START}(?:passphrase|(?:seed|recovery) phrase){_TIE}{_PHRASE}",
        ignore_case=True,
        check=is_bare_phrase,
    ),
    recogniser(
        "CREDENTIAL",
        ("user", "login", "log in as"),
        _LOGIN,
        ignore_case=True,
        check=is_login_password,
    ),
    recogniser(
        "CREDENTIAL",
        _KEY_CUES,
        rf"{_KEY}{_FOR}{_TIE}{_VALUE}",
        ignore_case=True,
        check=is_key,
    ),
    recogniser(
        "CREDENTIAL",
        ("pin", "otp"),
        rf"{_PIN}{_FOR}(?:{_TIE}|\sto\s){_NUMBER}",
        ignore_case=True,
        check=is_code,
    ),
    recogniser("CREDENTIAL", ("pin",), rf"{START}PIN\s{_NUMBER}{_CLAUSE_ENDS}", check=is_code),
    recogniser(
        "CREDENTIAL",
        (" code", "-code", " combination", " combo"),
        rf"{_CODE_OF}(?:{_FOR}(?:{_TIE}|\sto\s){_VALUE}|\s{_NUMBER}{_CLAUSE_ENDS})",
        ignore_case=True,
        check=is_code,
    ),
    recogniser(
        "CREDENTIAL",
        ("code ", "combination "),
        rf"{_CODE_FOR}{_TIE}{_VALUE}",
        ignore_case=True,
        check=is_code,
    ),
    recogniser(
        "CREDENTIAL",
        ("cvv", "cvc"),
        rf"{START}cv[vc]2?(?:\scode)?(?:{_TIE}|\s)([0-9]{{3,4}})(?!\.?[A-Za-z0-9])",
        ignore_case=True,
    ),
    recogniser(
        "CREDENTIAL",
        ("pass",),
        rf"{_NO_TICKET}pass{_TIE}{_VALUE}",
        ignore_case=True,
        check=_is_mixed,
    ),
    recogniser(
        "CREDENTIAL",
        (" key",),
        rf"{_NOT_OF_DATA}[ ]key{_FOR}{_IS}{_VALUE}",
        ignore_case=True,
        check=is_long_key,
    ),
    recogniser(
        "CREDENTIAL", ("token",), rf"{START}token\s{_VALUE}", ignore_case=True, check=is_long_key
    ),
    recogniser("CREDENTIAL", ("sshpass", "docker login", "mysql"), _LOGS_IN, check=is_option_value),
    recogniser("CREDENTIAL", ("--",), _OPTION, ignore_case=True, check=is_option_value),
    recogniser(
        "CREDENTIAL",
        ("password", "passphrase", "passcode", " pin", "api key", "token"),
        rf"[\"'`]?{_BARE}",
        starts=_told_before,
        check=_is_mixed,
    ),
)
