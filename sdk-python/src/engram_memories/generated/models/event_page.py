# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.event import Event


T = TypeVar("T", bound="EventPage")


@_attrs_define
class EventPage:
    """A part of the event log."""

    items: list[Event]
    """ Events in the order of their sequences. May be empty. """
    after: int
    """ Position up to which the log was read, for `after` of the next request. It covers events that the filters
    left out. """
    oldest: int
    """ Sequence of the oldest event in the log. """
    caught_up: bool
    """ Whether the log was read to its end. If `false`, send the next request at once. """

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        after = self.after

        oldest = self.oldest

        caught_up = self.caught_up

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "after": after,
                "oldest": oldest,
                "caught_up": caught_up,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.event import Event  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = Event.from_dict(items_item_data)

            items.append(items_item)

        after = d.pop("after")

        oldest = d.pop("oldest")

        caught_up = d.pop("caught_up")

        event_page = cls(
            items=items,
            after=after,
            oldest=oldest,
            caught_up=caught_up,
        )

        return event_page
