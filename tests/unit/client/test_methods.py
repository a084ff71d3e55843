"""The rpcs that the client calls are those of the contracts."""

import pytest

from anamnesis_client import methods
from anamnesis_client.steps import Method

ALL = {name: each for name, each in vars(methods).items() if isinstance(each, Method)}


@pytest.mark.parametrize("name", ALL)
def test_a_method_is_as_the_contract_has_it(name: str) -> None:
    method = ALL[name]
    _, service, rpc = method.path.split("/")
    services = method.request.DESCRIPTOR.file.services_by_name
    contract = services[service.rpartition(".")[2]].methods_by_name[rpc]
    assert contract.containing_service.full_name == service
    assert contract.input_type == method.request.DESCRIPTOR
    assert contract.output_type == method.answer.DESCRIPTOR
