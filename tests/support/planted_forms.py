"""Made-up values of the forms that secrets and personal data have; `planted` says what for.

They have the length, the prefix and the check digits of real ones, and are random otherwise:
no service ever issued them.
"""

import base64
import hashlib
import re
import string
import uuid
from collections.abc import Callable, Container
from itertools import count

ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "b": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
    "h": "0123456789abcdef",
    "l": string.ascii_lowercase + string.digits,
    "n": "123456789",
    "s": string.ascii_lowercase + string.digits + "!@#%^&*(-_=+)",
    "u": string.ascii_uppercase + "234567",
    "w": string.ascii_letters + string.digits + "_-",
}
PATTERNS = {
    # Keys and tokens: a prefix, then characters of an alphabet.
    "openai": "sk-<a48>",
    "openai_proj": "sk-proj-<w74>",
    "anthropic": "sk-ant-api03-<w93>AA",
    "openrouter": "sk-or-v1-<h64>",
    "dashscope": "sk-<h32>",
    "groq": "gsk_<a52>",
    "hf": "hf_<a34>",
    "xai": "xai-<a80>",
    "ghp": "ghp_<a36>",
    "gho": "gho_<a36>",
    "ghs": "ghs_<a36>",
    "ghpat": "github_pat_<a22>_<a59>",
    "glpat": "glpat-<w20>",
    "akia": "AKIA<u16>",
    "asia": "ASIA<u16>",
    "aws_secret": "<b40>",
    "aiza": "AIza<w35>",
    "ya29": "ya29.<w60>",
    "azure_storage": "<b86>==",
    "azure_secret": "<a3>8Q~<w31>",
    "xoxb": "xoxb-<d12>-<d13>-<a24>",
    "xapp": "xapp-1-A<u10>-<d13>-<h64>",
    "slack_hook": "https://hooks.slack.com/services/T<u10>/B<u10>/<a24>",
    "sk_live": "sk_live_<a24>",
    "sk_test": "sk_test_<a24>",
    "whsec": "whsec_<a32>",
    "npm": "npm_<a36>",
    "pypi": "pypi-AgEIcHlwaS5vcmc<w120>",
    "opaque": "<a43>",
    "hex32": "<h32>",
    "lower32": "<l32>",
    "django": "<s50>",
    # Numbers of persons.
    "us1": "(212) 555-01<d2>",
    "us2": "415-555-01<d2>",
    "us3": "+1 617 555 01<d2>",
    "us4": "+1-303-555-01<d2>",
    "us5": "206.555.01<d2>",
    "cnm": "13<n1><d8>",
    "cnm_sp": "186 <d4> <d4>",
    "cnm_dash": "157-<d4>-<d4>",
    "cnm_plus": "+86 198<d8>",
    "ssn": "4<n2>-<n2>-<n4>",
    # What only looks like a secret.
    "hex7": "<h7>",
    "hex8": "<h8>",
    "hex40": "<h40>",
    "hex64": "<h64>",
    "b64_43": "<b43>",
    "b64_86": "<b86>",
    "ghp_glued": "ghp_<a36>",
}
CARDS = {
    # Prefix, digits, separator of groups of four.
    "visa": ("4", 16, ""),
    "visa_sp": ("4", 16, " "),
    "mc_dash": ("53", 16, "-"),
    "mc_sp": ("53", 16, " "),
    "amex": ("37", 15, ""),
    "unionpay": ("6222", 16, ""),
}
NUMBERS = {"order16": ("20260", 16), "snowflake": ("17", 19)}
IBANS = {
    # Country, its part of the number, separator of groups of four.
    "iban_de": ("DE", "<d18>", ""),
    "iban_de_sp": ("DE", "<d18>", " "),
    "iban_gb": ("GB", "WEST<d14>", ""),
    "iban_fr": ("FR", "<d23>", ""),
}
PEMS = {
    "pem_openssh": ("OPENSSH PRIVATE KEY", "\n"),
    "pem_rsa": ("RSA PRIVATE KEY", "\n"),
    "pem_escaped": ("PRIVATE KEY", "\\n"),
}
_PART = re.compile(r"<([a-z])(\d+)>")
_CN_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def made_up(form: str, seed: str) -> str:
    """A value of `form`, always the same for a seed.

    Raises:
        KeyError: there is no such form.
    """
    if form in PATTERNS:
        return _of_pattern(PATTERNS[form], seed)
    for table, build in _BUILDERS:
        if form in table:
            return build(form, seed)
    raise KeyError(form)


def luhn_holds(digits: str) -> bool:
    """Whether the last digit is the check digit of ISO/IEC 7812-1."""
    doubled = [int(each) * (1 + place % 2) for place, each in enumerate(reversed(digits))]
    return sum(sum(divmod(each, 10)) for each in doubled) % 10 == 0


def iban_holds(iban: str) -> bool:
    """Whether the two check digits are those of ISO 13616 (modulo 97)."""
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(each, 36)) for each in turned)) % 97 == 1


def cn_id_check(body: str) -> str:
    """The last character of a Chinese identity number (GB 11643) after its first 17 digits."""
    total = sum(int(digit) * weight for digit, weight in zip(body, _CN_ID_WEIGHTS, strict=True))
    return "10X98765432"[total % 11]


def _characters(alphabet: str, length: int, seed: str) -> str:
    drawn = (hashlib.sha256(f"{seed}#{place}".encode()).digest() for place in range(length))
    return "".join(alphabet[int.from_bytes(each[:8]) % len(alphabet)] for each in drawn)


def _of_pattern(pattern: str, seed: str) -> str:
    return _PART.sub(
        lambda part: _characters(ALPHABETS[part[1]], int(part[2]), f"{seed}@{part.start()}"),
        pattern,
    )


def _grouped(text: str, separator: str) -> str:
    return separator.join(text[at : at + 4] for at in range(0, len(text), 4))


def _card(form: str, seed: str) -> str:
    prefix, length, separator = CARDS[form]
    body = prefix + _characters(string.digits, length - len(prefix) - 1, seed)
    return _grouped(next(n for n in (f"{body}{d}" for d in range(10)) if luhn_holds(n)), separator)


def _number(form: str, seed: str) -> str:
    """As long as a card's number, with a wrong check digit."""
    prefix, length = NUMBERS[form]
    body = prefix + _characters(string.digits, length - len(prefix) - 1, seed)
    return next(n for n in (f"{body}{d}" for d in range(10)) if not luhn_holds(n))


def _iban(form: str, seed: str) -> str:
    country, pattern, separator = IBANS[form]
    own = _of_pattern(pattern, seed)
    ibans = (f"{country}{check:02}{own}" for check in range(2, 99))
    return _grouped(next(iban for iban in ibans if iban_holds(iban)), separator)


def _cn_id(form: str, seed: str) -> str:
    """Born in Ningbo on a day from the 10th to the 19th; `cnid_x` ends in X."""
    for attempt in count():
        body = _of_pattern("33020319<n1><d1>0<n1>1<d1><d3>", f"{seed}~{attempt}")
        check = cn_id_check(body)
        if (check == "X") == (form == "cnid_x"):
            return body + check
    raise AssertionError("every eleventh number ends in X")


def _uuid(form: str, seed: str) -> str:
    value = str(uuid.UUID(_characters("0123456789abcdef", 32, seed), version=4))
    return value.upper() if form == "uuid_upper" else value


def _basic(_form: str, seed: str) -> str:
    return base64.b64encode(_of_pattern("svc-<l4>:<a14>", seed).encode()).decode()


def _jwt(_form: str, seed: str) -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', _of_pattern('{"sub":"<d10>","role":"editor"}', seed))
    coded = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return ".".join([*coded, _characters(ALPHABETS["w"], 43, seed)])


def _pem(form: str, seed: str) -> str:
    label, newline = PEMS[form]
    body = [_characters(ALPHABETS["b"], 64, f"{seed}@{row}") for row in range(6)]
    return newline.join([f"-----BEGIN {label}-----", *body, f"-----END {label}-----"])


_BUILDERS: tuple[tuple[Container[str], Callable[[str, str], str]], ...] = (
    (CARDS, _card),
    (NUMBERS, _number),
    (IBANS, _iban),
    (PEMS, _pem),
    (("cnid", "cnid_x"), _cn_id),
    (("uuid", "uuid_upper"), _uuid),
    (("basic",), _basic),
    (("jwt",), _jwt),
)
