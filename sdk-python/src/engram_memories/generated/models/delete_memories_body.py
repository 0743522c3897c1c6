# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.delete_memories_body_filter import DeleteMemoriesBodyFilter


T = TypeVar("T", bound="DeleteMemoriesBody")


@_attrs_define
class DeleteMemoriesBody:
    filter: DeleteMemoriesBodyFilter | Unset = UNSET
    """ Memories to delete. All conditions must match; at least one is required. """
    all: bool | Unset = UNSET
    """ Instead of a filter: delete every memory that the key can change. """
    dry_run: bool | Unset = UNSET
    """ `true`: delete nothing, and return the number of memories that would be deleted. Recommended before every
    deletion. Default `false`. """
    forget: bool | Unset = UNSET
    """ `true`: what is deleted is not stored again, by whatever way it comes: captures, appends, forks, imports. A
    tombstone of hashes refuses it until you delete the tombstone. Default `false`. """

    def to_dict(self) -> dict[str, Any]:
        filter: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter, Unset):
            filter = self.filter.to_dict()

        all = self.all

        dry_run = self.dry_run

        forget = self.forget

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if filter is not UNSET:
            field_dict["filter"] = filter
        if all is not UNSET:
            field_dict["all"] = all
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run
        if forget is not UNSET:
            field_dict["forget"] = forget

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.delete_memories_body_filter import DeleteMemoriesBodyFilter  # noqa: PLC0415

        d = dict(src_dict)
        _filter = d.pop("filter", UNSET)
        filter: DeleteMemoriesBodyFilter | Unset
        if isinstance(_filter, Unset):
            filter = UNSET
        else:
            filter = DeleteMemoriesBodyFilter.from_dict(_filter)

        all = d.pop("all", UNSET)

        dry_run = d.pop("dry_run", UNSET)

        forget = d.pop("forget", UNSET)

        delete_memories_body = cls(
            filter=filter,
            all=all,
            dry_run=dry_run,
            forget=forget,
        )

        return delete_memories_body
