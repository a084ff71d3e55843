"""Whose memory a request is about: its path and headers, else what the command line says."""

import pytest
from starlette.requests import Request

from anamnesis_cli.mcp.identity import Identity, identity_of

USUAL = Identity("app", "mara", "coder", "a-key-of-the-command-line")


def request(namespace: str = "", **headers: str) -> Request:
    """A request to a path, with headers (`x_anamnesis_user`)."""
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    path = {"namespace": namespace} if namespace else {}
    return Request({"type": "http", "headers": sent, "path_params": path})


def test_without_a_request_it_is_the_usual_one() -> None:
    assert identity_of(None, USUAL) == USUAL
    assert identity_of(request(), USUAL) == USUAL


def test_a_request_names_what_it_is_about() -> None:
    named = request(
        x_anamnesis_namespace="team",
        x_anamnesis_user="ada",
        x_anamnesis_agent="juno",
        authorization="Bearer a-key-of-her-own",
    )
    assert identity_of(named, USUAL) == Identity("team", "ada", "juno", "a-key-of-her-own")


def test_the_path_wins_over_the_header() -> None:
    assert identity_of(request("hub", x_anamnesis_namespace="team"), USUAL).namespace == "hub"


def test_nobody_can_be_named() -> None:
    assert identity_of(request(x_anamnesis_user=""), USUAL).user == ""


@pytest.mark.parametrize("header", ["Basic bWFyYQ==", "Bearer", ""])
def test_what_is_no_bearer_key_is_passed_over(header: str) -> None:
    assert identity_of(request(authorization=header), USUAL).api_key == USUAL.api_key
