"""Checks of numbers: check digits and formats of cards, accounts, identities, addresses."""

import ipaddress
import re
from datetime import date

_NOT_A_DIGIT = re.compile(r"[^0-9]")
_CN_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_ID_CHECKS = "10X98765432"
# Issuers by what a number begins with, and the lengths they give out (ISO/IEC 7812).
_CARD = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})|(?:5[1-5]|2[2-7])[0-9]{14}|3[47][0-9]{13}"
    r"|3[068][0-9]{12}|(?:2131|1800)[0-9]{11}|(?:35|6[0245])[0-9]{14,17}|(?:50|5[6-9]|6[0-9])[0-9]{10,17}"
)
IBAN_COUNTRIES = {
    15: "NO",
    16: "BE",
    18: "DK|FI|FO|GL|NL",
    19: "MK|SI",
    20: "AT|BA|EE|KZ|LT|LU|XK",
    21: "CH|HR|LI|LV",
    22: "BG|BH|CR|DE|GB|GE|IE|ME|RS|VA",
    23: "AE|GI|IL|IQ|OM|TL",
    24: "AD|CZ|ES|MD|PK|RO|SA|SE|SK|TN|VG",
    25: "LY|PT|ST",
    26: "IS|TR",
    27: "BI|DJ|FR|GR|IT|MC|MR|SM",
    28: "AL|AZ|BY|CY|DO|GT|HU|LB|NI|PL|SV",
    29: "BR|EG|PS|QA|UA",
    30: "JO|KW|MU",
    31: "MT|SC",
    32: "LC",
}
"""Countries by the length of their account numbers, from the registry of ISO 13616."""

# Addresses of somebody: global, unique local and link-local (RFC 4291, RFC 4193).
_SOMEBODYS_IPV6 = tuple(ipaddress.IPv6Network(net) for net in ("2000::/3", "fc00::/7", "fe80::/10"))


def digits_of(text: str) -> str:
    """The digits of a text, separators left out."""
    return _NOT_A_DIGIT.sub("", text)


def is_card(digits: str) -> bool:
    """True if a payment card may have this number: issuer, length, check digit."""
    return bool(_CARD.fullmatch(digits)) and _luhn_holds(digits)


def _luhn_holds(digits: str) -> bool:
    """The check digit of ISO/IEC 7812-1."""
    doubled = (int(each) * (1 + place % 2) for place, each in enumerate(reversed(digits)))
    return sum(sum(divmod(each, 10)) for each in doubled) % 10 == 0


def is_iban(text: str) -> bool:
    """True if the check digits are those of ISO 13616: modulo 97."""
    plain = text.replace(" ", "").replace("-", "")
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(each, 36)) for each in turned)) % 97 == 1


def is_cn_id(number: str) -> bool:
    """True if a number is a Chinese identity number: a birthday, and the check of GB 11643."""
    try:
        date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    total = sum(int(d) * weight for d, weight in zip(number[:17], _CN_ID_WEIGHTS, strict=True))
    return _CN_ID_CHECKS[total % 11] == number[17].upper()


def is_somebodys_ipv4(address: str) -> bool:
    """True if an address is a machine's: not loopback, `0.0.0.0`, a netmask or broadcast."""
    octets = [int(each) for each in address.split(".")]
    return max(octets) <= 255 and octets[0] not in (0, 127, 255)


def is_somebodys_ipv6(text: str) -> bool:
    """True if an address is a machine's: neither `::1` nor words of hexadecimal letters."""
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return any(address in net for net in _SOMEBODYS_IPV6)
