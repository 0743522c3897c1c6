# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.context_memory import ContextMemory


T = TypeVar("T", bound="ContextAnswerMemories")


@_attrs_define
class ContextAnswerMemories:
    """Memories. Without `query`, and with neither a user nor an agent in the request or the key, there are none."""

    items: list[ContextMemory]
    """ Memories, long ones cut to the part that matches: those that the query finds, best first, then the newest of
    the user or agent. Those that do not hold at `valid_at` come after all others. """
    tokens: int
    """ Upper bound on the tokens of these memories in `text`. """
    omitted: int
    """ Number of memories that did not fit, among those that the query finds and the 50 newest. """

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
        from ..models.context_memory import ContextMemory  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = ContextMemory.from_dict(items_item_data)

            items.append(items_item)

        tokens = d.pop("tokens")

        omitted = d.pop("omitted")

        context_answer_memories = cls(
            items=items,
            tokens=tokens,
            omitted=omitted,
        )

        return context_answer_memories
