"""Refusing vectors that would spoil every score of a scope."""

from collections.abc import Sequence

import numpy as np

from anamnesis_libs.index.port import Query, Rows, Vector
from anamnesis_libs.index.token_codes import width_of
from anamnesis_libs.models.ports import TokenCodes


def check_rows(memory_id: str, rows: Rows, pieces: int, dimension: int) -> None:
    """Vectors of a document are one finite row a piece.

    Raises:
        ValueError: they are not.
    """
    if rows.shape != (pieces, dimension):
        raise ValueError(
            f"vectors of {memory_id} have shape {rows.shape}, its text makes {(pieces, dimension)}"
        )
    if not np.isfinite(rows).all():
        raise ValueError(f"vectors of {memory_id} hold a number that is not finite")


def check_tokens(codes: Sequence[TokenCodes], pieces: int, dimension: int) -> None:
    """Tokens of a document are those of each piece, as long as the index's vectors.

    Raises:
        ValueError: they are not.
    """
    if len(codes) != pieces or any(one.shape[1:] != (width_of(dimension),) for one in codes):
        raise ValueError(f"tokens of {len(codes)} pieces, the text makes {pieces}")


def check_query(query: Query, dimension: int) -> None:
    """The vector of a query, if any, is finite and of the index's dimension; so are its tokens.

    Raises:
        ValueError: it is not.
    """
    if query.vector is not None:
        check_vector(query.vector, dimension)
    if query.tokens is not None and query.tokens.codes.shape[1:] != (width_of(dimension),):
        raise ValueError("the query's tokens are not of the index's dimension")


def check_vector(vector: Vector, dimension: int) -> None:
    """A vector that is asked for is finite and of the index's dimension.

    Raises:
        ValueError: it is not.
    """
    if vector.shape != (dimension,):
        raise ValueError(f"the query's vector has shape {vector.shape}, the index {(dimension,)}")
    if not np.isfinite(vector).all():
        raise ValueError("the query's vector holds a number that is not finite")
