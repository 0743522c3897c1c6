# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SummarySentenceCitesItem")


@_attrs_define
class SummarySentenceCitesItem:
    """A message that says what the sentence says."""

    message_id: str
    """ Id of a message. """
    sequence: int
    """ Sequence number of the message. """
    start: int | None
    """ Where the sentence starts in the content of the message, in UTF-16 code units. Null if a text model wrote
    the sentence. """
    end: int | None
    """ Where the sentence ends, exclusive, in the content of the message, in UTF-16 code units. Null if a text
    model wrote the sentence. """

    def to_dict(self) -> dict[str, Any]:
        message_id = self.message_id

        sequence = self.sequence

        start: int | None
        start = self.start

        end: int | None
        end = self.end

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "message_id": message_id,
                "sequence": sequence,
                "start": start,
                "end": end,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        message_id = d.pop("message_id")

        sequence = d.pop("sequence")

        def _parse_start(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        start = _parse_start(d.pop("start"))

        def _parse_end(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        end = _parse_end(d.pop("end"))

        summary_sentence_cites_item = cls(
            message_id=message_id,
            sequence=sequence,
            start=start,
            end=end,
        )

        return summary_sentence_cites_item
