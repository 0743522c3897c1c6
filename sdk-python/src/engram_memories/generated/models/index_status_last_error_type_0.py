# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="IndexStatusLastErrorType0")


@_attrs_define
class IndexStatusLastErrorType0:
    """Newest failure among the messages and memories that `pending` and `failed` count; null if there was none."""

    message: str
    """ Error code, followed by numbers such as a status. It never contains text that a model or another service
    returned. `text_refused`: the embedding model accepts other texts, but not this one. `embedding_failed`: the
    embedding model gave no response, or an invalid one. `vector_store_failed`: the same of the vector store.
    `internal_failure`: another failure, which the log of the service describes. """
    at: str
    """ Time of the failure. """

    def to_dict(self) -> dict[str, Any]:
        message = self.message

        at = self.at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message": message,
                "at": at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        message = d.pop("message")

        at = d.pop("at")

        index_status_last_error_type_0 = cls(
            message=message,
            at=at,
        )

        return index_status_last_error_type_0
