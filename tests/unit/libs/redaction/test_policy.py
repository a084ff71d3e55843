"""PolicyRedactor: what a namespace's policy lets stay, makes go, or refuses."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.errors import RedactionBlocked
from anamnesis_libs.redaction.persons import pseudonym
from anamnesis_libs.redaction.policy import (
    KINDS,
    TAG,
    RedactionAction,
    RedactionLevel,
    RedactionPolicy,
)
from anamnesis_libs.redaction.ports import RedactedSpan, Redaction
from anamnesis_libs.redaction.redactor import PolicyRedactor
from tests.support.drawing import drawn
from tests.support.growth import grown
from tests.support.planted import Line, planted

REDACTOR = PolicyRedactor()
DEFAULT = RedactionPolicy()
STRICT = RedactionPolicy(RedactionLevel.STRICT, pseudonym_key=b"a namespace's own")
OFF = RedactionPolicy(RedactionLevel.OFF)
BLOCK = RedactionPolicy(action=RedactionAction.BLOCK)
UUID = "123e4567-e89b-12d3-a456-426614174000"
GHP = "ghp_" + "a1B2c3D4e" * 4


def redacted(text: str, policy: RedactionPolicy = DEFAULT, *known: str) -> str:
    return REDACTOR.redact(text, policy, known).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to jo@mail.example.", "write to <EMAIL_ADDRESS>."),
        ("邮箱zhang.wei@example.cn，谢谢", "邮箱<EMAIL_ADDRESS>，谢谢"),
        ("call (212) 555-0186 now", "call <PHONE_NUMBER> now"),
        ("415-555-0189 or 206.555.0102", "<PHONE_NUMBER> or <PHONE_NUMBER>"),
        ("from 203.0.113.7:443", "from <IP_ADDRESS>:443"),
        ("client 2001:db8::53, ok", "client <IP_ADDRESS>, ok"),
        ("请打13812345678找他", "请打<PHONE_NUMBER>找他"),
        ("电话：+86 19812345678(微信)", "电话：<PHONE_NUMBER>(微信)"),
        ("公司前台010-59201234，转8012", "公司前台<PHONE_NUMBER>，转8012"),
        ("用卡4111111111111111付款", "用卡<CREDIT_CARD>付款"),
        ("GB82 WEST 1234 5698 7654 32 is ours", "<IBAN_CODE> is ours"),
        ("SSN 486-97-3329", "SSN <US_SSN>"),
        ("身份证11010519491231002X有效", "身份证<CN_ID>有效"),
    ],
)
def test_18_personal_data_becomes_a_typed_placeholder(text: str, expected: str) -> None:
    assert redacted(text) == expected


def test_19_a_chinese_name_beside_a_phone_stays_by_default_and_is_a_pseudonym_if_strict() -> None:
    text = "联系孙雨桐13702379408安排演示"
    assert redacted(text) == "联系孙雨桐<PHONE_NUMBER>安排演示"
    name = pseudonym("孙雨桐", STRICT.pseudonym_key)
    assert redacted(text, STRICT) == f"联系{name}<PHONE_NUMBER>安排演示"


@pytest.mark.parametrize("root", ["/home/", "/Users/"])
def test_20_of_a_path_the_users_part_goes_and_the_file_name_stays(root: str) -> None:
    assert redacted(f"{root}alice/p/config.py") == f"{root}<USER>/p/config.py"


@pytest.mark.parametrize(
    ("text", "value", "tag"),
    [
        ("Authorization: Bearer {}", "abc.def-1", "<REDACTED_TOKEN>"),
        ("Authorization: Basic {}", "dXNlcjpwYXNz", "<REDACTED_TOKEN>"),
        ("password='{}'", "Gr4nite-Otter", "<REDACTED_CREDENTIAL>"),
        ("key {} ok", "sk-" + "a1B2c3D4" * 4, "<LLM_API_KEY>"),
        ("{}", GHP, "<GITHUB_TOKEN>"),
        ("{}", "gho_" + "a1B2c3D4e" * 4, "<GITHUB_TOKEN>"),
        ("id {}", "AKIAIOSFODNN7EXAMPLE", "<AWS_ACCESS_KEY>"),
        ("memory {}", UUID, "<UUID>"),
    ],
)
def test_21_the_value_of_a_secret_goes_and_its_kind_is_named(
    text: str, value: str, tag: str
) -> None:
    assert redacted(text.format(value)) == text.format(tag)


def test_21_the_kinds_are_a_list_in_the_policy() -> None:
    text = f"{UUID} of jo@mail.example"
    only = RedactionPolicy(kinds=frozenset({"EMAIL_ADDRESS"}))
    assert redacted(text, only) == f"{UUID} of <EMAIL_ADDRESS>"
    with pytest.raises(ValueError, match="unknown kinds: NOSE"):
        RedactionPolicy(kinds=frozenset({"NOSE"}))


@pytest.mark.parametrize("text", ["", "returned a 404 error", "冬天浇花要减半，不然会烂根"])
@pytest.mark.parametrize("policy", [DEFAULT, STRICT, OFF, BLOCK])
def test_22_nothing_to_redact_is_the_very_same_text(text: str, policy: RedactionPolicy) -> None:
    assert REDACTOR.redact(text, policy).text is text


def test_23_a_token_beside_a_cjk_character_goes_one_behind_a_letter_stays() -> None:
    assert redacted(f"令牌{GHP}失效") == "令牌<GITHUB_TOKEN>失效"
    assert redacted(f"x{GHP}") == f"x{GHP}"


def test_24_block_refuses_and_names_kinds_never_the_text() -> None:
    with pytest.raises(RedactionBlocked) as refusal:
        REDACTOR.redact(f"{GHP} of jo@mail.example", BLOCK)
    assert refusal.value.reason == "CONTENT_BLOCKED"
    assert refusal.value.metadata == {"kinds": "EMAIL_ADDRESS,GITHUB_TOKEN"}
    said = f"{refusal.value!r} {refusal.value} {refusal.value.message}"
    assert GHP not in said
    assert "mail.example" not in said


def test_24_people_do_not_block_a_text_under_strict() -> None:
    policy = RedactionPolicy(RedactionLevel.STRICT, RedactionAction.BLOCK)
    assert "Nadia" not in redacted("We met Nadia Rahmani", policy)


def test_24_redact_stores_redacted_and_off_leaves_untouched() -> None:
    text = f"{GHP} of jo@mail.example"
    assert redacted(text) == "<GITHUB_TOKEN> of <EMAIL_ADDRESS>"
    assert REDACTOR.redact(text, OFF) == Redaction(text)


def test_every_kind_has_one_tag_that_is_known_to_be_one() -> None:
    assert all(TAG.fullmatch(kind.tag) for name, kind in KINDS.items() if name != "PERSON")
    assert TAG.fullmatch(pseudonym("Nadia", b""))


@pytest.mark.parametrize("line", planted("dev"), ids=lambda line: str(line.id))
def test_nothing_that_is_planted_stays_and_no_kept_line_changes(line: Line) -> None:
    spans = REDACTOR.redact(line.text, STRICT).spans
    gone = {place for span in spans for place in range(span.start, span.end)}
    for span in line.required("STRICT"):
        assert gone.issuperset(range(span.start, span.end)), span.kind
    assert bool(spans) <= bool(line.spans)


@pytest.mark.parametrize(
    "text",
    [
        "listening on 127.0.0.1:53 and 0.0.0.0, mask 255.255.255.0, ::1",
        "version 1.2.3.4, v10.2.0.15, Chrome/120.0.0.0, section 3.1.4.1, 第 10.4.2.1 节",
        "Order 2026031500417762, EAN 4006381333931, Snowflake 1750391462689211300",
        "订单编号20260315138001380001234，金额13900000000元",
        "git@github.com:acme/tools.git, icon@2x.png, getty@tty1.service, vue@3.4.21",
        "https://jo@host.example/x",
        "docker run -u 1000:root9 image",
        "00:04:15.550132, abc::def, 12:30:45",
        "密码: ******** 令牌=<在此粘贴>",
    ],
)
def test_what_only_looks_like_personal_data_stays(text: str) -> None:
    assert REDACTOR.redact(text) == Redaction(text)


@pytest.mark.parametrize("escaped", ["\\n", "\\r\\n", "\\t", "\\\\n"])
@pytest.mark.parametrize("value", [GHP, "jo@mail.example", "13812345678", "203.0.113.7", UUID])
def test_a_written_line_break_before_a_secret_does_not_hide_it(escaped: str, value: str) -> None:
    assert value not in redacted(f'{{"text": "see{escaped}{value}"}}')


@pytest.mark.parametrize("option", ["-u ", "--user ", "-u", "--user=", "-u '"])
def test_the_password_of_a_curl_login_goes(option: str) -> None:
    text = f"curl -s {option}jo:s3cret!pw https://h.example/x"
    assert redacted(text) == text.replace("s3cret!pw", "<REDACTED_CREDENTIAL>")


def test_the_login_of_a_url_leaves_its_host() -> None:
    text = "mysql://report:v4se-L@db.internal.example:3306/ledger"
    assert redacted(text) == "mysql://<REDACTED_CREDENTIAL>@db.internal.example:3306/ledger"


def test_pseudonyms_join_the_same_person_and_part_namespaces() -> None:
    first, second = (
        TAG.findall(redacted(text, STRICT, "Zhang Wei"))
        for text in ("I met Zhang Wei.", "then ZHANG  wei left")
    )
    assert first == second == [pseudonym("zhang wei", STRICT.pseudonym_key)]
    assert pseudonym("zhang wei", b"another") not in first


def test_known_names_are_found_whole_and_in_part_not_within_words() -> None:
    text = "ottoline f said OTTOLINE was here, ottolines are birds; 小明说好"
    result = redacted(text, STRICT, "Ottoline F", "小明")
    assert TAG.sub("*", result) == "* said * was here, ottolines are birds; *说好"
    assert redacted(text, DEFAULT, "Ottoline F", "小明") == text


@pytest.mark.parametrize(
    "text",
    [
        "Your appointment with Dr. * is on Tuesday",
        "my name is * and I live in Berlin",
        "*'s report for Tesla, Jenkins and Victoria",
        "患者*，青霉素过敏",
    ],
)
def test_people_go_under_strict_and_stay_by_default(text: str) -> None:
    named = text.replace("*", "马国庆" if "患者" in text else "Nadia Rahmani")
    assert TAG.sub("*", redacted(named, STRICT)) == text
    assert redacted(named) == named


def test_spans_lie_in_the_original_however_often_it_was_read() -> None:
    text = f"x {GHP}AKIAIOSFODNN7EXAMPLE, jo@mail.example"
    result = REDACTOR.redact(text)
    assert result.spans[-1] == RedactedSpan("EMAIL_ADDRESS", text.index("jo@"), len(text))


PIECES = [line.value(span) for line in planted("dev") for span in line.spans]
GLUE = ["", " ", "\n", "\\n", ",", ":", "=", "'", '"', "-", ".", "@", "/", "<", ">", "(", "x", "7"]
WORDS = [
    "password",
    "电话",
    "call",
    "my name is ",
    "Dr. ",
    "<PERSON_0a1b2c3d>",
    "<USER>",
    "是",
    "+86",
]


@drawn(300)
@given(st.lists(st.sampled_from([*PIECES, *GLUE, *GLUE, *WORDS]), max_size=10).map("".join))
def test_redacting_twice_changes_nothing(text: str) -> None:
    for policy in (DEFAULT, STRICT):
        once = redacted(text, policy, "Nadia Rahmani")
        assert redacted(once, policy, "Nadia Rahmani") is once


def test_who_leaves_people_in_never_loads_their_names() -> None:
    said = (
        "import sys; from anamnesis_libs.redaction.redactor import PolicyRedactor;"
        "print(PolicyRedactor().redact('Nadia, jo@mail.example').text, {'faker', 'rjieba'}"
        " & sys.modules.keys())"
    )
    run = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert run.stdout == "Nadia, <EMAIL_ADDRESS> set()\n"


def test_threads_share_a_redactor_from_its_first_text_on() -> None:
    texts = [line.text for line in planted("dev")]
    alone = [redacted(text, STRICT) for text in texts]
    fresh = PolicyRedactor()
    gate = threading.Barrier(4)

    def all_texts(_: int) -> list[str]:
        gate.wait()
        return [fresh.redact(text, STRICT).text for text in texts]

    with ThreadPoolExecutor(4) as pool:
        assert all(each == alone for each in pool.map(all_texts, range(4)))


HOSTILE_CHARS = 20_000


def strictly(text: str) -> str:
    return redacted(text, STRICT, "Nadia Rahmani")


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *("1", "1 ", "1-", "1.", "12.", "+1", "(1", "a@", "@", "a", "a.", "a-", "1:", "a:", "::"),
        *("A", "A ", "Aa ", "Dr. ", "Nadia ", "my name is ", "name: ", "phone ", "call 1", "ssn "),
        *("-u ", "curl -u a:", "session=", "pw=", "密码是", "密码 a", "张", "张三 ", "0a0a0a0a-"),
        *("DE12", "DE12 ", "4111 ", "://a", "8Q~", "<USER>", "<USER>1", "https://hooks.slack.com/"),
    ],
)
def test_hostile_text_takes_no_more_than_linear_time(unit: str) -> None:
    shapes = {unit: lambda chars: unit * (chars // len(unit))}
    assert not list(grown(strictly, shapes, HOSTILE_CHARS))
