# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.delete_conversations_body_filter import DeleteConversationsBodyFilter


T = TypeVar("T", bound="DeleteConversationsBody")


@_attrs_define
class DeleteConversationsBody:
    filter: DeleteConversationsBodyFilter
    """ Conversations to delete. All conditions must match; at least one is required. """
    dry_run: bool | Unset = UNSET
    """ `true`: delete nothing, and return the number of items that would be deleted. Recommended before every
    deletion. Default `false`. """
    forget: bool | Unset = UNSET
    """ `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A
    tombstone of hashes refuses it until you delete the tombstone. Default `false`. """

    def to_dict(self) -> dict[str, Any]:
        filter = self.filter.to_dict()

        dry_run = self.dry_run

        forget = self.forget

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "filter": filter,
            }
        )
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run
        if forget is not UNSET:
            field_dict["forget"] = forget

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_conversations_body_filter import DeleteConversationsBodyFilter  # noqa: PLC0415

        d = dict(src_dict)
        filter = DeleteConversationsBodyFilter.from_dict(d.pop("filter"))

        dry_run = d.pop("dry_run", UNSET)

        forget = d.pop("forget", UNSET)

        delete_conversations_body = cls(
            filter=filter,
            dry_run=dry_run,
            forget=forget,
        )

        return delete_conversations_body
