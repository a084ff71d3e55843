"""Rows of the archive to values and back; shared by the databases."""

from dataclasses import asdict

from anamnesis_memory.model.uploads import NewUpload, Upload, UploadFormat
from anamnesis_memory.storage import rows


def upload_row(upload: Upload) -> rows.Bindings:
    """The row of an upload."""
    return {**asdict(upload), "format": upload.format.value}


def upload_of(row: rows.Record) -> Upload:
    """A row of `uploads`, without what is kept."""
    return Upload(
        upload_id=rows.text(row["upload_id"]),
        session_id=rows.text(row["session_id"]),
        label=rows.text(row["label"]),
        sha256=rows.text(row["sha256"]),
        size_bytes=rows.number(row["size_bytes"]),
        format=UploadFormat(rows.text(row["format"])),
        lines_left_out=rows.number(row["lines_left_out"]),
        create_time_us=rows.number(row["create_time_us"]),
    )


def kept_upload_of(row: rows.Record) -> NewUpload:
    """A row of `uploads` with what is kept."""
    return NewUpload(upload_of(row), rows.blob(row["packed"]))
