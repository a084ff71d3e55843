"""Tells a chat that WhatsApp exported from everything else by its beginning, and holds the chat."""

from anamnesis_ingestion.intake.files.documents import too_large
from anamnesis_ingestion.intake.files.whatsapp import HEAD_BYTES, is_whatsapp


class ChatHolder:
    """Lets the bytes of other files through, and holds those of a chat, within a limit."""

    def __init__(self, bytes_max: int) -> None:
        self._bytes_max = bytes_max
        self._held = bytearray()
        self._is_chat: bool | None = None

    def feed(self, chunk: bytes) -> bytes:
        """Return bytes that are of no chat for certain; undecided bytes are held.

        Raises:
            ResourceExhausted: a chat is beyond its limit (TOO_LARGE).
        """
        if self._is_chat is False:
            return chunk
        self._held += chunk
        if self._is_chat is None:
            self._is_chat = _told(self._held, ended=False)
        if self._is_chat is False:
            return bytes(self._released())
        if len(self._held) > self._bytes_max:
            raise too_large("an exported chat", self._bytes_max)
        return b""

    @property
    def held_bytes(self) -> int:
        """Number of bytes of the file that are held in memory."""
        return len(self._held)

    def close(self) -> tuple[bytearray, bool]:
        """Return the held bytes, and true if they are a chat."""
        is_chat = _told(self._held, ended=True) if self._is_chat is None else self._is_chat
        self._is_chat = False
        return self._released(), is_chat is True

    def _released(self) -> bytearray:
        held, self._held = self._held, bytearray()
        return held


def _told(held: bytearray, *, ended: bool) -> bool | None:
    head = bytes(held[:HEAD_BYTES])
    if not ended and len(held) < HEAD_BYTES and b"\n" not in head.lstrip():
        return None
    return is_whatsapp(head.decode("utf-8", "ignore"))
