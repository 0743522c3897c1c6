# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.index_status_last_error_type_0 import IndexStatusLastErrorType0


T = TypeVar("T", bound="IndexStatus")


@_attrs_define
class IndexStatus:
    model: str
    """ Embedding model in use. """
    dimensions: int
    """ Number of dimensions of the vectors of this model. """
    messages: int
    """ Number of messages and memories stored. Keyword search finds all of them. """
    pending: int
    """ Number of messages and memories that are still waiting to be indexed for semantic search: the vector store
    has not accepted their vectors. """
    failed: int
    """ Number of messages and memories whose indexing for semantic search failed 10 times and is not tried again.
    `repairIndex` tries again. """
    chunks: int
    """ Number of chunks with a stored vector of the current embedding model: windows of messages, and parts of
    memories. """
    chunks_of_other_models: int
    """ Number of chunks whose vector was made by an earlier embedding model. Semantic search does not find them.
    """
    deletions_pending: int
    """ Number of vectors of deleted or changed content whose deletion the vector store has not confirmed yet. """
    complete: bool
    """ Whether everything was counted. `false` if a count stopped at 50,000 rows. The counts are then lower bounds,
    except `messages` for a key that is not bound to an agent. """
    last_error: IndexStatusLastErrorType0 | None
    """ Newest failure among the messages and memories that `pending` and `failed` count; null if there was none.
    """

    def to_dict(self) -> dict[str, Any]:
        from ..models.index_status_last_error_type_0 import IndexStatusLastErrorType0  # noqa: PLC0415

        model = self.model

        dimensions = self.dimensions

        messages = self.messages

        pending = self.pending

        failed = self.failed

        chunks = self.chunks

        chunks_of_other_models = self.chunks_of_other_models

        deletions_pending = self.deletions_pending

        complete = self.complete

        last_error: dict[str, Any] | None
        if isinstance(self.last_error, IndexStatusLastErrorType0):
            last_error = self.last_error.to_dict()
        else:
            last_error = self.last_error

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "model": model,
                "dimensions": dimensions,
                "messages": messages,
                "pending": pending,
                "failed": failed,
                "chunks": chunks,
                "chunks_of_other_models": chunks_of_other_models,
                "deletions_pending": deletions_pending,
                "complete": complete,
                "last_error": last_error,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.index_status_last_error_type_0 import IndexStatusLastErrorType0  # noqa: PLC0415

        d = dict(src_dict)
        model = d.pop("model")

        dimensions = d.pop("dimensions")

        messages = d.pop("messages")

        pending = d.pop("pending")

        failed = d.pop("failed")

        chunks = d.pop("chunks")

        chunks_of_other_models = d.pop("chunks_of_other_models")

        deletions_pending = d.pop("deletions_pending")

        complete = d.pop("complete")

        def _parse_last_error(data: object) -> IndexStatusLastErrorType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                last_error_type_0 = IndexStatusLastErrorType0.from_dict(data)

                return last_error_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(IndexStatusLastErrorType0 | None, data)

        last_error = _parse_last_error(d.pop("last_error"))

        index_status = cls(
            model=model,
            dimensions=dimensions,
            messages=messages,
            pending=pending,
            failed=failed,
            chunks=chunks,
            chunks_of_other_models=chunks_of_other_models,
            deletions_pending=deletions_pending,
            complete=complete,
            last_error=last_error,
        )

        return index_status
