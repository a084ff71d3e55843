r"""Our recognisers of personal data, as one table: contact, payment, identity, network.

Where numbers look alike, check digits and what stands around decide. Boundaries are spelled out
in ASCII, as in `patterns.py`, for a number glued to Chinese text is one all the same. Rules are
those of `patterns.py`; `benchmarks/redaction` measures these beside Presidio's.
"""

import re
import string

import phonenumbers

from anamnesis_libs.redaction.numbers import (
    IBAN_COUNTRIES,
    digits_of,
    is_card,
    is_cn_id,
    is_iban,
    is_somebodys_ipv4,
    is_somebodys_ipv6,
)
from anamnesis_libs.redaction.recogniser import (
    END,
    NOT_AFTER_A_TAG,
    START,
    Recogniser,
    recogniser,
    starts_of,
)

_LOCAL_CHARS = frozenset(string.ascii_letters + string.digits + "._%+-")
_LOCAL_CHARS_MAX = 128
_BEFORE_CHARS = 300
_CONTEXT_CHARS = 40
# A number starts here: no digit, letter or decimal point before, nor another group of digits.
_NUMBER = rf"(?<![0-9][.,-]){START}"
_NUMBER_END = rf"{END}(?![.,-][0-9])"

_EMAIL = (
    # Starts only where a run of its alphabet does: no run is scanned twice.
    rf"(?:(?<![A-Za-z0-9._%+-])|(?<=\\[nrt])){NOT_AFTER_A_TAG}"
    r"[A-Za-z0-9_][A-Za-z0-9._%+-]{0,127}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,8}[A-Za-z]{2,24}"
    rf"{END}"
)
_USER_OF_A_URL = re.compile(r"://[^\s/?#]*$|/$")
_NO_DOMAIN = re.compile(
    r"\.(?:service|socket|timer|target|mount|png|jpe?g|svg|gif|webp|json|tsx?|jsx?|css|lock|git)$"
)
_GIT_HOSTS = ("git@", "hg@")

_IPV4 = rf"(?<![A-Za-z0-9]\.){START}[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}{END}(?!\.[0-9])"
# As in: version 1.2.3.4, v1.2.3.4, Chrome/120.0.0.0, driver==1.2.3.4, anvil-1.2.3.4.
_NUMBERED = re.compile(
    r"(?:version|versions|release|chapter|section|sections|sec\.?|§|clause|paragraph|build|firmware"
    r"|upgraded?|downgraded?|[^a-z]v|^v|版本|固件|章节|第|条款|升级到|升到|退回|回退到|降到)[\s:：=]{0,3}(?:to\s)?$"
    r"|(?:[a-z0-9_]|[a-z]\))[/-]$|[=~<>!^]=\s?$",
    re.IGNORECASE,
)
_NUMBERED_AFTER = re.compile(r"\s?(?:版|节|章|条)")
_IPV6 = (
    # A name may stand glued before ("ip:"), and a colon behind that is not the address's.
    r"(?<![A-Za-z0-9.])(?<![0-9A-Fa-f:]:)"
    r"[0-9A-Fa-f]{1,4}:(?:[0-9A-Fa-f]{0,4}:){1,7}(?:[0-9A-Fa-f]{1,4}|(?<=::))"
    r"(?![A-Za-z0-9])(?!:[0-9A-Fa-f])"
)

_CARD = (
    rf"{_NUMBER}[1-6](?:[0-9]{{11,18}}|[0-9]{{3}}(?:(?: [0-9]{{4}}){{3}}|(?:-[0-9]{{4}}){{3}}"
    rf"|[ -][0-9]{{6}}[ -][0-9]{{5}})){_NUMBER_END}"
)
_ABOUT_CARDS = re.compile(r"card|visa|maestro|amex|\bcc\b|卡", re.IGNORECASE)
_LONG_CARD_DIGITS = 14
_IBAN = (
    rf"{START}(?:"
    + "|".join(
        rf"(?:{countries})[0-9]{{2}}(?:[ -]?[A-Z0-9]){{{length - 4}}}"
        for length, countries in IBAN_COUNTRIES.items()
    )
    + rf"){END}"
)
_SSN = rf"{_NUMBER}(?!000|666|9)[0-9]{{3}}-(?!00)[0-9]{{2}}-(?!0000)[0-9]{{4}}{_NUMBER_END}"
_SSN_NAMED = (
    r"(?:ssn|social security(?: number| no\.?)?|社会安全号码?|社保号)"
    rf"[^0-9\n]{{0,12}}((?!000|666|9)[0-9]{{3}} ?(?!00)[0-9]{{2}} ?(?!0000)[0-9]{{4}}){_NUMBER_END}"
)
_CN_ID = rf"{_NUMBER}[1-9][0-9]{{5}}(?:18|19|20)[0-9]{{9}}[0-9Xx]{END}"

_COUNTRY_OF_CHINA = r"(?:(?:\(?(?:\+|00)86\)|(?:\+|00)?86)[ -]?)?"
_AMOUNT = r"(?!\s?(?:元|块|万|亿|美元|人民币|条|次|字节|行|bytes|rows|USD|CNY|RMB|EUR))"
_CN_MOBILE = (
    rf"(?:(?<![0-9][.,-])(?<![A-Za-z0-9])|(?<=\\[nrt])){NOT_AFTER_A_TAG}(?<!\+){_COUNTRY_OF_CHINA}"
    rf"1[3-9][0-9](?:[0-9]{{8}}|(?: [0-9]{{4}}){{2}}|(?:-[0-9]{{4}}){{2}})"
    rf"{_NUMBER_END}(?!_){_AMOUNT}"
)
_CN_AREA = r"0(?:10|2[0-9]|[3-9][0-9]{2})"
_EXTENSION = r"(?:(?:,? ?(?:x|ext(?:n|ension)?[.:]?)|(?: ?转| #)) ?[0-9]{1,6})?"
_CN_LANDLINE = (
    rf"{_NUMBER}(?<!\+){_COUNTRY_OF_CHINA}(?:\({_CN_AREA}\)[ -]?|{_CN_AREA}[ -])"
    rf"[2-8][0-9]{{6,7}}(?:-[0-9]{{2,5}}(?![0-9-])|{_EXTENSION}){_NUMBER_END}"
)
_US_PHONE = (
    rf"{_NUMBER}(?<!\+)(?:1[ .-])?(?:\([2-9][0-9]{{2}}\) ?[2-9][0-9]{{2}}[ .-]"
    rf"|[2-9][0-9]{{2}}(?:-[2-9][0-9]{{2}}-|\.[2-9][0-9]{{2}}\.| [2-9][0-9]{{2}} ))[0-9]{{4}}"
    rf"{_EXTENSION}{_NUMBER_END}"
)
_PLUS_PHONE = rf"{START}\+[1-9](?:[ .-]?\(?[0-9]{{1,12}}\)?){{1,6}}{_EXTENSION}{END}"
_PHONE_WORD = (
    r"(?:phone|telephone|tel|mobile|cell|fax|whatsapp"
    r"|call(?: me| him| her| us)?(?: back)?(?: on| at)|电话|手机|传真|座机|热线|致电|拨打?)"
    r"(?: ?(?:number|no\.?|号码?))?(?: is| was|是|为)?[ \t]{0,4}[\"']?[:：=]?\s{0,4}[\"']?"
)
_SAID_PHONE = (
    rf"{_PHONE_WORD}(?!(?:19|20)[0-9]{{2}}[-./][0-9])"
    rf"(\(?[0-9]{{2,5}}\)?(?:[ .-]?\(?[0-9]{{2,5}}\)?){{1,5}}{_EXTENSION}){_NUMBER_END}{_AMOUNT}"
)
_SAID_PHONE_DIGITS = range(7, 14)
_EXTENSION_AFTER = re.compile(r",? ?(?:[a-z]{1,9}[.:]?|转|#) ?[0-9]{1,6}$", re.IGNORECASE)

_UUID = (
    rf"(?<![A-Za-z0-9]-){START}[0-9A-Fa-f]{{8}}-(?:[0-9A-Fa-f]{{4}}-){{3}}[0-9A-Fa-f]{{12}}{END}"
)
_PICTURE = re.compile(
    r"[A-Za-z0-9_%./+~-]{0,300}\.(?:jpe?g|png|gif|webp|svg|avif|heic|mp4)(?![a-z])"
)
# The id of a thing in settings or code: `credentialsId: '`, "kms_key_id": ".
_ID_OF_A_THING = re.compile(
    r"(?:[A-Za-z0-9]_id|[a-z0-9]I[dD])\\?[\"']?\]?(?:\s?[:=]\s{0,4}|>)\\?[\"']?$"
)
_ID_OF_SOMEBODY = re.compile(
    r"(?:user|customer|patient|member|person|employee|owner|account|device|session|secret|token"
    r"|request|message|memory)_?id\W{1,8}$",
    re.IGNORECASE,
)


def _is_uuid(text: str, start: int, end: int) -> bool:
    """True if the UUID is neither a picture's name nor the id of a thing in settings or code."""
    if _PICTURE.match(text, end):
        return False
    before = text[max(0, start - _CONTEXT_CHARS) : start]
    return not _ID_OF_A_THING.search(before) or bool(_ID_OF_SOMEBODY.search(before))


def _is_email(text: str, start: int, end: int) -> bool:
    """True if the address is no login of a URL or a repository, no file and no unit."""
    if text.startswith(_GIT_HOSTS, start) or _NO_DOMAIN.search(text, start, end):
        return False
    return not _USER_OF_A_URL.search(text[max(0, start - _BEFORE_CHARS) : start])


def _is_ipv4(text: str, start: int, end: int) -> bool:
    """An address of a machine, not a version or a section."""
    before = text[max(0, start - _CONTEXT_CHARS) : start]
    numbered = _NUMBERED.search(before) or _NUMBERED_AFTER.match(text, end)
    return not numbered and is_somebodys_ipv4(text[start:end])


def _is_ipv6(text: str, start: int, end: int) -> bool:
    return is_somebodys_ipv6(text[start:end])


def _is_card(text: str, start: int, end: int) -> bool:
    """A short number is one only where cards are spoken of."""
    digits = digits_of(text[start:end])
    around = text[max(0, start - _CONTEXT_CHARS) : start]
    return is_card(digits) and (
        len(digits) >= _LONG_CARD_DIGITS or bool(_ABOUT_CARDS.search(around))
    )


def _is_iban(text: str, start: int, end: int) -> bool:
    return is_iban(text[start:end])


def _is_cn_id(text: str, start: int, end: int) -> bool:
    return is_cn_id(text[start:end])


def _is_plus_phone(text: str, start: int, end: int) -> bool:
    """A number that the country after the plus sign could have given out."""
    try:
        number = phonenumbers.parse(text[start:end], None)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(number)


def _is_said_phone(text: str, start: int, end: int) -> bool:
    number = _EXTENSION_AFTER.sub("", text[start:end])
    return len(digits_of(number)) in _SAID_PHONE_DIGITS


def _local_parts(text: str) -> list[int]:
    """Starts of the local parts before each `@`."""
    starts: list[int] = []
    at = text.find("@")
    while at >= 0:
        start = at
        while start > max(0, at - _LOCAL_CHARS_MAX) and text[start - 1] in _LOCAL_CHARS:
            start -= 1
        starts.append(start)
        at = text.find("@", at + 1)
    return starts


_NUMBERS = starts_of(r"[0-9]+")
_DIGITS = tuple("0123456789")
_PHONE_CUES = (
    *("phone", "tel", "mobile", "cell", "fax", "whatsapp", "call"),
    *("电话", "手机", "传真", "座机", "热线", "致电", "拨"),
)

PERSONAL: tuple[Recogniser, ...] = (
    recogniser("UUID", ("-",), _UUID, starts=starts_of(r"[0-9A-Fa-f]{8}-"), check=_is_uuid),
    recogniser("EMAIL_ADDRESS", ("@",), _EMAIL, starts=_local_parts, check=_is_email),
    recogniser("CN_ID", _DIGITS, _CN_ID, starts=_NUMBERS, check=_is_cn_id),
    recogniser("CREDIT_CARD", _DIGITS, _CARD, starts=_NUMBERS, check=_is_card),
    recogniser(
        "IBAN_CODE",
        _DIGITS,
        _IBAN,
        starts=starts_of(r"[A-Za-z]{2}[0-9]{2}"),
        check=_is_iban,
        ignore_case=True,
    ),
    recogniser("US_SSN", ("-",), _SSN, starts=_NUMBERS),
    recogniser(
        "US_SSN", ("ssn", "social security", "社会安全号", "社保号"), _SSN_NAMED, ignore_case=True
    ),
    recogniser("IP_ADDRESS", (".",), _IPV4, starts=_NUMBERS, check=_is_ipv4),
    recogniser(
        "IP_ADDRESS",
        (":",),
        _IPV6,
        starts=starts_of(r"[0-9A-Fa-f]{1,4}:(?=[0-9A-Fa-f:])"),
        check=_is_ipv6,
    ),
    recogniser("PHONE_NUMBER", _DIGITS, _CN_MOBILE, starts=_NUMBERS),
    recogniser("PHONE_NUMBER", ("+86", "(86)", "(+86)"), _CN_MOBILE),
    recogniser("PHONE_NUMBER", ("-", " "), _CN_LANDLINE, starts=_NUMBERS),
    recogniser("PHONE_NUMBER", ("+86", "(86)", "(+86)", "(0"), _CN_LANDLINE),
    recogniser("PHONE_NUMBER", ("-", ".", " "), _US_PHONE, starts=_NUMBERS),
    recogniser("PHONE_NUMBER", ("(",), _US_PHONE),
    recogniser("PHONE_NUMBER", ("+",), _PLUS_PHONE, check=_is_plus_phone),
    recogniser(
        "PHONE_NUMBER",
        _PHONE_CUES,
        _SAID_PHONE,
        ignore_case=True,
        check=_is_said_phone,
    ),
)
