# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.context_message import ContextMessage


T = TypeVar("T", bound="ContextAnswerMessages")


@_attrs_define
class ContextAnswerMessages:
    """The newest messages. Empty without `conversation_id`."""

    items: list[ContextMessage]
    """ The newest messages of the conversation, oldest first and without a gap, except with the layout `stable`
    between those in `stable` and the others. A message that is longer than a quarter of this part (half, for the
    newest) is cut to its beginning. """
    tokens: int
    """ Upper bound on the tokens of these messages in `text`. """
    omitted: int
    """ Number of earlier messages of the conversation that are not included. """

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        tokens = self.tokens

        omitted = self.omitted

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "tokens": tokens,
                "omitted": omitted,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.context_message import ContextMessage  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = ContextMessage.from_dict(items_item_data)

            items.append(items_item)

        tokens = d.pop("tokens")

        omitted = d.pop("omitted")

        context_answer_messages = cls(
            items=items,
            tokens=tokens,
            omitted=omitted,
        )

        return context_answer_messages
