# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.hold_filter import HoldFilter


T = TypeVar("T", bound="CreateHoldBody")


@_attrs_define
class CreateHoldBody:
    reason: str
    """ Why the hold exists, such as the number of a case. At most 256 characters. """
    ids: list[str] | Unset = UNSET
    """ Ids of the conversations and memories to hold, at most 1,000. """
    filter: HoldFilter | Unset = UNSET
    """ Conversations and memories that are held, also those that are stored later. All conditions must match. An
    empty filter holds everything. """

    def to_dict(self) -> dict[str, Any]:
        reason = self.reason

        ids: list[str] | Unset = UNSET
        if not isinstance(self.ids, Unset):
            ids = self.ids

        filter: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter, Unset):
            filter = self.filter.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "reason": reason,
            }
        )
        if ids is not UNSET:
            field_dict["ids"] = ids
        if filter is not UNSET:
            field_dict["filter"] = filter

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.hold_filter import HoldFilter  # noqa: PLC0415

        d = dict(src_dict)
        reason = d.pop("reason")

        ids = cast(list[str], d.pop("ids", UNSET))

        _filter = d.pop("filter", UNSET)
        filter: HoldFilter | Unset
        if isinstance(_filter, Unset):
            filter = UNSET
        else:
            filter = HoldFilter.from_dict(_filter)

        create_hold_body = cls(
            reason=reason,
            ids=ids,
            filter=filter,
        )

        return create_hold_body
