# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="AppendedMessages")


@_attrs_define
class AppendedMessages:
    conversation_id: str
    """ Id of a conversation. """
    message_ids: list[str]
    """ Ids of all messages of the request, in the same order. """
    existing_ids: list[str]
    """ Ids of the messages that were stored already, recognized by their `external_id`. They are also in
    `message_ids`. """
    first_sequence: int | None
    """ Sequence number of the first new message; null if none is new. """
    last_sequence: int | None
    """ Sequence number of the last new message; null if none is new. """
    indexed: bool
    """ Whether the vector store had accepted the vectors of the messages before the response was sent. Always
    `false` without `wait`. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        message_ids = self.message_ids

        existing_ids = self.existing_ids

        first_sequence: int | None
        first_sequence = self.first_sequence

        last_sequence: int | None
        last_sequence = self.last_sequence

        indexed = self.indexed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversation_id": conversation_id,
                "message_ids": message_ids,
                "existing_ids": existing_ids,
                "first_sequence": first_sequence,
                "last_sequence": last_sequence,
                "indexed": indexed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversation_id = d.pop("conversation_id")

        message_ids = cast(list[str], d.pop("message_ids"))

        existing_ids = cast(list[str], d.pop("existing_ids"))

        def _parse_first_sequence(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        first_sequence = _parse_first_sequence(d.pop("first_sequence"))

        def _parse_last_sequence(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        last_sequence = _parse_last_sequence(d.pop("last_sequence"))

        indexed = d.pop("indexed")

        appended_messages = cls(
            conversation_id=conversation_id,
            message_ids=message_ids,
            existing_ids=existing_ids,
            first_sequence=first_sequence,
            last_sequence=last_sequence,
            indexed=indexed,
        )

        return appended_messages
