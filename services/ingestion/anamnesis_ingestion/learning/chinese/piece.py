"""A part of a sentence, simplified, that knows where each of its characters stands."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """Simplified characters and their places in the sentence as it was written."""

    text: str
    at: tuple[int, ...]

    @classmethod
    def of(cls, text: str, start: int = 0) -> "Piece":
        """A whole text that stands at `start`."""
        return cls(text, tuple(range(start, start + len(text))))

    def part(self, start: int, end: int | None = None) -> "Piece":
        """The characters from `start` to `end`."""
        return Piece(self.text[start:end], self.at[start:end])

    def without(self, start: int, end: int) -> "Piece":
        """The piece with the characters from `start` to `end` cut out."""
        return Piece(self.text[:start] + self.text[end:], self.at[:start] + self.at[end:])

    def written(self, sentence: str) -> str:
        """The piece in the script of the sentence, with the blanks that stand inside it."""
        signs = (
            sentence[place : after if sentence[place + 1 : after].isspace() else place + 1]
            for place, after in zip(self.at, (*self.at[1:], 0), strict=True)
        )
        return "".join(signs)

    def then(self, other: "Piece") -> "Piece":
        """The piece with another behind it."""
        return Piece(self.text + other.text, self.at + other.at)
