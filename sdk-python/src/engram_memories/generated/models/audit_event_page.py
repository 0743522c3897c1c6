# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.audit_event import AuditEvent
    from ..models.audit_event_page_start_type_0 import AuditEventPageStartType0


T = TypeVar("T", bound="AuditEventPage")


@_attrs_define
class AuditEventPage:
    """One page of a list."""

    items: list[AuditEvent]
    """ Items of this page, in the order that the operation states. """
    next_cursor: None | str
    """ Cursor of the next page; null on the last page. """
    start: AuditEventPageStartType0 | None
    """ Where the chain begins, if a rule of retention has deleted its first events. Null if none is deleted. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.audit_event_page_start_type_0 import AuditEventPageStartType0  # noqa: PLC0415

        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        next_cursor: None | str
        next_cursor = self.next_cursor

        start: dict[str, Any] | None
        if isinstance(self.start, AuditEventPageStartType0):
            start = self.start.to_dict()
        else:
            start = self.start

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "next_cursor": next_cursor,
                "start": start,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.audit_event import AuditEvent  # noqa: PLC0415
        from ..models.audit_event_page_start_type_0 import AuditEventPageStartType0  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = AuditEvent.from_dict(items_item_data)

            items.append(items_item)

        def _parse_next_cursor(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_cursor = _parse_next_cursor(d.pop("next_cursor"))

        def _parse_start(data: object) -> AuditEventPageStartType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                start_type_0 = AuditEventPageStartType0.from_dict(data)

                return start_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(AuditEventPageStartType0 | None, data)

        start = _parse_start(d.pop("start"))

        audit_event_page = cls(
            items=items,
            next_cursor=next_cursor,
            start=start,
        )

        return audit_event_page
