"""PolicyRedactor: the secret goes, its kind and surroundings stay, and twice is once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.redaction.ports import RedactedSpan, Redaction, Redactor
from anamnesis_libs.redaction.redactor import RECOGNISERS, PolicyRedactor
from tests.support.drawing import drawn
from tests.support.growth import grown

pytestmark = pytest.mark.slow

REDACTOR: Redactor = PolicyRedactor()
HOSTILE_CHARS = 30_000

SK = "sk-" + "a1B2c3D4" * 4
GHP = "ghp_" + "a1B2c3D4e" * 4
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.s5f-x_Y7abcdef"
AWS_SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow+/=\nabc\n-----END RSA PRIVATE KEY-----"


def redacted(text: str) -> str:
    return REDACTOR.redact(text).text


@pytest.mark.parametrize(
    ("token", "tag"),
    [
        (SK, "<LLM_API_KEY>"),
        ("sk-proj-abc_DEF-1234567890abcdef", "<LLM_API_KEY>"),
        ("sk-ant-api03-abcdefghijk_lmnop", "<LLM_API_KEY>"),
        ("sk-or-v1-" + "0af3" * 16, "<LLM_API_KEY>"),
        (GHP, "<GITHUB_TOKEN>"),
        *((f"gh{kind}_" + "a1B2c3D4e" * 4, "<GITHUB_TOKEN>") for kind in "ousr"),
        ("github_pat_11ABCDEFG0abcdefghij_KLMNOP", "<GITHUB_TOKEN>"),
        ("AKIAIOSFODNN7EXAMPLE", "<AWS_ACCESS_KEY>"),
        ("ASIAIOSFODNN7EXAMPLE", "<AWS_ACCESS_KEY>"),
        ("AIza" + "SyA1-234_5" * 3 + "abcde", "<GOOGLE_API_KEY>"),
        ("xoxb-123456789012-abcdefGHI", "<SLACK_TOKEN>"),
        ("xoxp-123456789012-abcdefGHI", "<SLACK_TOKEN>"),
        ("sk_live_abcdefghijklmnop1234", "<STRIPE_KEY>"),
        ("rk_live_abcdefghijklmnop1234", "<STRIPE_KEY>"),
        (JWT, "<JWT>"),
    ],
)
def test_a_token_is_replaced_by_its_kind_unless_a_letter_is_glued_before(
    token: str, tag: str
) -> None:
    for before, after in [("", ""), ("use ", " now"), ("密钥用", "登录"), ("(", ")."), ("=", ",")]:
        assert redacted(f"{before}{token}{after}") == f"{before}{tag}{after}"
    for glued in "xX7":
        assert redacted(glued + token) == glued + token


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"a {PEM} b", "a <PRIVATE_KEY> b"),
        (f'"{PEM}"'.replace("\n", "\\n"), '"<PRIVATE_KEY>"'),
        ("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\nthe end", "<PRIVATE_KEY>\nthe end"),
        (f"aws_secret_access_key = {AWS_SECRET}", "aws_secret_access_key = <AWS_SECRET_KEY>"),
        (f'AWS_SECRET_ACCESS_KEY="{AWS_SECRET}"', 'AWS_SECRET_ACCESS_KEY="<AWS_SECRET_KEY>"'),
        ("Authorization: Bearer abc", "Authorization: Bearer abc"),
        ("Authorization: Bearer abc.def-1", "Authorization: Bearer <REDACTED_TOKEN>"),
        ('"authorization": "Basic dXNlcjpw"', '"authorization": "Basic <REDACTED_TOKEN>"'),
        ("bearer abc123def456ghi789", "bearer <REDACTED_TOKEN>"),
        ("Basic dXNlcjpwYXNzd29yZA==", "Basic <REDACTED_TOKEN>"),
        (f"Authorization: Bearer {SK}", "Authorization: Bearer <LLM_API_KEY>"),
        ("postgres://u:p@ss@h:5432/d", "postgres://<REDACTED_CREDENTIAL>@h:5432/d"),
        ("redis://:pw@h", "redis://<REDACTED_CREDENTIAL>@h"),
    ],
)
def test_keys_headers_and_urls_lose_their_secret_part_only(text: str, expected: str) -> None:
    assert redacted(text) == expected


@pytest.mark.parametrize(
    "template",
    [
        "password='{}'",
        'passwd = "{}"',
        'DB_PASSWORD: "{}",',
        '{{"password": "{}"}}',
        '{{\\"password\\": \\"{}\\"}}',
        "client_secret => '{}'",
        "config['api_key'] = '{}'",
        "apiKey: '{}'",
        "DB_PASSWORD={}",
        "export API_KEY={}\n",
        "https://h/p?token={}&page=2",
        "password: {}\n",
        "CREATE USER 'app'@'%' IDENTIFIED BY '{}';",
        "create user app identified by '{}'",
        "alter role app with password '{}'",
        "密码：{}",
        "口令: {}。",
        "我的密码是{},别告诉别人",
    ],
)
def test_the_value_of_a_credential_goes_and_its_name_stays(template: str) -> None:
    expected = template.format("<REDACTED_CREDENTIAL>")
    assert redacted(template.format("hunter2x")) == expected


@pytest.mark.parametrize("value", ["correct horse", "it's", "a<b", "p\\d+x", "é密码", "x" * 4096])
def test_a_quoted_value_may_hold_anything(value: str) -> None:
    assert redacted(f'password = "{value}"') == 'password = "<REDACTED_CREDENTIAL>"'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "returned a 404 error",
        "password=get_password()",
        "password=get_password2()",
        "token: str",
        "token: uint64",
        "def login(password: str, token: Optional[str] = None) -> None:",
        "token = None",
        "api_key = os.environ['K2_NAME']",
        "password=self.password1",
        "alembic.util.exc.CommandError: Can't locate revision identified by 'f5a3c9d1e2b4'",
        'password="${DB_PASSWORD}"',
        'token = "{token}"',
        "TOKEN=$(cat token2)",
        "max_tokens=4096, tokens: 100000, cost per token: 0.00015",
        "the secret: it was never about 4 keys",
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "bearer authentication and Basic authentication in Basic JavaScript",
        "sk-... and sk-learn, task-1234567890abcdef1234567890",
        "https://example.com:8080/a@b and postgres://{user}:{password}@{host}",
        "密码是什么？密码：请联系管理员",
        "see https://example.com/home/dashboard and /api/Users/5",
        "/Users/Shared/x and /home/$USER/x and ~/x",
    ],
)
def test_code_prose_and_what_others_redact_stay_byte_identical(text: str) -> None:
    assert REDACTOR.redact(text) == Redaction(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/home/alice/p/config.py", "/home/<USER>/p/config.py"),
        ("/Users/a.b-c/x", "/Users/<USER>/x"),
        ("cd /home/alice.", "cd /home/<USER>."),
        ("在/home/zhang目录下", "在/home/<USER>目录下"),
        ("/home/张伟/x", "/home/<USER>/x"),
        ("file:///home/bob/x", "file:///home/<USER>/x"),
        ("/mnt/c/Users/bob/x /c/Users/bob", "/mnt/c/Users/<USER>/x /c/Users/<USER>"),
        (r"C:\Users\John Smith\a.txt", r"C:\Users\<USER>\a.txt"),
        (r"c:\\Users\\bob\\a.txt", r"c:\\Users\\<USER>\\a.txt"),
        ("D:/Users/bob/a.txt", "D:/Users/<USER>/a.txt"),
    ],
)
def test_only_the_users_part_of_a_path_goes(text: str, expected: str) -> None:
    assert redacted(text) == expected


@pytest.mark.parametrize("text", ["token=" + "a1B2c3" * 500, "密码：" + "a1B2c3" * 500])
def test_nothing_of_a_long_credential_is_left(text: str) -> None:
    assert redacted(text).endswith("<REDACTED_CREDENTIAL>")


def test_every_tag_is_known_to_the_boundaries() -> None:
    for row in RECOGNISERS:
        assert redacted(row.tag + SK) == row.tag + SK


def test_spans_lie_in_the_original_text() -> None:
    text = f"İ{SK}, /home/bob/x"
    spans = REDACTOR.redact(text).spans
    assert spans == (RedactedSpan("LLM_API_KEY", 1, 1 + len(SK)), RedactedSpan("USER_PATH", 44, 47))
    assert text[44:47] == "bob"


def test_overlapping_secrets_leave_nothing_of_either() -> None:
    text = f'password="my {SK} and more" ok'
    assert REDACTOR.redact(text).spans == (RedactedSpan("CREDENTIAL", 10, text.rindex('"')),)
    # The password of the URL ends at the @, the value of the token goes on to the end.
    assert redacted("x://u:token=abc123@host/p") == "x://<REDACTED_CREDENTIAL>"


def test_the_kinds_are_the_callers_choice() -> None:
    only_paths = [row for row in RECOGNISERS if row.kind == "USER_PATH"]
    text = f"{SK} in /home/bob/x"
    assert PolicyRedactor(only_paths).redact(text).text == f"{SK} in /home/<USER>/x"


def test_every_cue_is_lower_case() -> None:
    cues = [cue for row in RECOGNISERS for cue in row.cues]
    assert cues == [cue.lower() for cue in cues]


fragments = st.sampled_from(
    [
        *(SK, GHP, JWT, PEM, AWS_SECRET, "AKIAIOSFODNN7EXAMPLE", "xoxb-123456789012-a"),
        *("password", "PASSWORD", "token", "secret_key", "密码", "是", "：", "Authorization"),
        *(
            "Bearer ",
            "basic ",
            "dXNlcjpwYXNzd29yZA==",
            "://",
            "@",
            "/home/",
            "/Users/",
            "C:\\Users\\",
        ),
        *("=", ": ", ":", "'", '"', "\\", "\\n", "\n", " ", "(", ")", "<", ">", "{", "$", "&", "-"),
        *("a", "Z9", "abc123", "bob", "张", ".", "/", "_", ",", "eyJ", "sk-", "-----BEGIN ", "hf_"),
        *("<USER>", "<LLM_API_KEY>", "<REDACTED_CREDENTIAL>", "x" * 300, "get()", "self.", "int8"),
    ]
)
any_text = st.one_of(st.lists(fragments, max_size=12).map("".join), st.text(max_size=60))


@drawn(1500)
@given(any_text)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = REDACTOR.redact(text)
    assert REDACTOR.redact(once.text).text == once.text


@given(any_text)
def test_spans_are_in_order_and_the_rest_is_untouched(text: str) -> None:
    result = REDACTOR.redact(text)
    position, rest = 0, result.text
    for span in result.spans:
        assert position <= span.start < span.end
        kept = text[position : span.start]
        assert rest.startswith(kept)
        rest = rest[len(kept) :]
        rest = rest[rest.index(">") + 1 :]
        position = span.end
    assert rest == text[position:]


@pytest.mark.parametrize(
    "unit",
    [
        *("sk-", "sk-a-", "ghp_", "AKIA", "AIza", "xoxb-", "-eyJ", "eyJa.", "eyJaaaaaaaaa."),
        *(
            "-----BEGIN ",
            "-----BEGIN PRIVATE KEY-----",
            "Bearer ",
            "Basic a",
            "Authorization: Bearer ",
        ),
        *(
            "://",
            "://a:",
            "://a:b",
            "password",
            "password=",
            "password='",
            'password="<A',
            "token=a&",
        ),
        *(
            "secret_key=",
            "PASSWORD=",
            "密码",
            "密码是",
            "/home/",
            "/home/张",
            "C:\\Users\\",
            "\\",
            '"',
        ),
    ],
)
def test_hostile_units_take_linear_time(unit: str) -> None:
    shapes = {unit: lambda chars: unit * (chars // len(unit))}
    assert not list(grown(REDACTOR.redact, shapes, HOSTILE_CHARS))


@pytest.mark.parametrize(
    "key", ["password=", "password='", "Bearer ", "sk-", "eyJ", "://u:", "密码："]
)
@pytest.mark.parametrize("filler", ["a", "-", "&", "a ", "é", "\\", "<"])
def test_a_secret_without_an_end_takes_linear_time(key: str, filler: str) -> None:
    shapes = {filler: lambda chars: key + filler * (chars // len(filler))}
    assert not list(grown(REDACTOR.redact, shapes, HOSTILE_CHARS))
