"""Uploads between the wire and the model."""

from anamnesis.memory.v1 import upload_pb2 as pb
from anamnesis_memory.api.convert.enums import UPLOAD_FORMAT
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.model.uploads import Upload


def from_upload(upload: Upload) -> pb.Upload:
    """An upload for the wire."""
    return pb.Upload(
        upload_id=upload.upload_id,
        session_id=upload.session_id,
        label=upload.label,
        sha256=upload.sha256,
        size_bytes=upload.size_bytes,
        format=UPLOAD_FORMAT.to_pb(upload.format),
        create_time=to_timestamp(upload.create_time_us),
        lines_left_out=upload.lines_left_out,
    )
