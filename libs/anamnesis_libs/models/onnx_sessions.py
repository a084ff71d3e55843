"""Sessions of ONNX Runtime: how models in this process are run, and the errors of what is none."""

import onnxruntime as ort

from anamnesis_libs.errors import SetupInvalid

_STATE = ort.capi.onnxruntime_pybind11_state
NOT_A_MODEL = (
    _STATE.InvalidProtobuf,
    _STATE.InvalidGraph,
    _STATE.InvalidArgument,
    _STATE.NotImplemented,
    _STATE.NoSuchFile,
    _STATE.Fail,
)
"""The errors of a file that cannot be loaded."""
RUN_FAILED = (*NOT_A_MODEL, _STATE.RuntimeException)
"""The errors of a run; a model that other inputs suit fails so."""


def session_of(model: bytes | str, remedy: str) -> ort.InferenceSession:
    """A session of a model, by its content or its path.

    One thread a run: several runs at once use the cores better than one run split up.

    Raises:
        SetupInvalid: it is no model that ONNX Runtime can load.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except NOT_A_MODEL as error:
        raise SetupInvalid(f"ONNX Runtime cannot load the model: {error}; {remedy}") from error
