# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.enrich_memories_body_filter import EnrichMemoriesBodyFilter


T = TypeVar("T", bound="EnrichMemoriesBody")


@_attrs_define
class EnrichMemoriesBody:
    filter: EnrichMemoriesBodyFilter | Unset = UNSET
    """ Memories to enrich. All conditions must match. Default: all that the key can change. """

    def to_dict(self) -> dict[str, Any]:
        filter: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter, Unset):
            filter = self.filter.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if filter is not UNSET:
            field_dict["filter"] = filter

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.enrich_memories_body_filter import EnrichMemoriesBodyFilter  # noqa: PLC0415

        d = dict(src_dict)
        _filter = d.pop("filter", UNSET)
        filter: EnrichMemoriesBodyFilter | Unset
        if isinstance(_filter, Unset):
            filter = UNSET
        else:
            filter = EnrichMemoriesBodyFilter.from_dict(_filter)

        enrich_memories_body = cls(
            filter=filter,
        )

        return enrich_memories_body
