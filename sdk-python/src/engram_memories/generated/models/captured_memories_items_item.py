# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CapturedMemoriesItemsItem")


@_attrs_define
class CapturedMemoriesItemsItem:
    id: None | str
    """ Id of the memory; null if it was skipped. """
    created: bool
    """ Whether the memory is new; `false` if its content was stored already, or skipped. """
    skipped: Literal["forgotten"] | Unset = UNSET
    """ `forgotten`: the memory or its user was deleted with `forget`, so it was not stored. Absent otherwise. """

    def to_dict(self) -> dict[str, Any]:
        id: None | str
        id = self.id

        created = self.created

        skipped = self.skipped

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "created": created,
            }
        )
        if skipped is not UNSET:
            field_dict["skipped"] = skipped

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        id = _parse_id(d.pop("id"))

        created = d.pop("created")

        skipped = cast(Literal["forgotten"] | Unset, d.pop("skipped", UNSET))
        if skipped != "forgotten" and not isinstance(skipped, Unset):
            raise ValueError(f"skipped must match const 'forgotten', got '{skipped}'")

        captured_memories_items_item = cls(
            id=id,
            created=created,
            skipped=skipped,
        )

        return captured_memories_items_item
