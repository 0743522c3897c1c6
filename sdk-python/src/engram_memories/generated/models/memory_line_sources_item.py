# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.memory_line_sources_item_state import MemoryLineSourcesItemState, check_memory_line_sources_item_state

T = TypeVar("T", bound="MemoryLineSourcesItem")


@_attrs_define
class MemoryLineSourcesItem:
    conversation_id: str
    """ Conversation of the cited message. """
    message_id: str
    """ Id of the cited message. """
    sequence: int
    """ Sequence number of the cited message: its position in the conversation. """
    quote: None | str
    """ The cited text, word for word. Null if the whole message is cited, once the message is deleted, and once it
    was edited and no longer has the text. """
    start: int | None
    """ Offset in the content of the message at which `quote` starts, in UTF-16 code units, as in JavaScript
    strings. Null without `quote`, and once the message was edited. """
    end: int | None
    """ Offset at which it ends (exclusive), in the same unit. Null if `start` is. """
    state: MemoryLineSourcesItemState
    """ `intact`: the message is as it was when it was cited. `edited`: its content was changed since. `deleted`: it
    was deleted. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        message_id = self.message_id

        sequence = self.sequence

        quote: None | str
        quote = self.quote

        start: int | None
        start = self.start

        end: int | None
        end = self.end

        state: str = self.state

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversation_id": conversation_id,
                "message_id": message_id,
                "sequence": sequence,
                "quote": quote,
                "start": start,
                "end": end,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversation_id = d.pop("conversation_id")

        message_id = d.pop("message_id")

        sequence = d.pop("sequence")

        def _parse_quote(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        quote = _parse_quote(d.pop("quote"))

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

        state = check_memory_line_sources_item_state(d.pop("state"))

        memory_line_sources_item = cls(
            conversation_id=conversation_id,
            message_id=message_id,
            sequence=sequence,
            quote=quote,
            start=start,
            end=end,
            state=state,
        )

        return memory_line_sources_item
