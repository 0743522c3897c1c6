# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="UpdateRecallBody")


@_attrs_define
class UpdateRecallBody:
    used: list[str] | Unset = UNSET
    """ Ids of the items of the receipt that were used. They replace those noted before. """
    outcome: None | str | Unset = UNSET
    """ What came of the answer, in your own words. """

    def to_dict(self) -> dict[str, Any]:
        used: list[str] | Unset = UNSET
        if not isinstance(self.used, Unset):
            used = self.used

        outcome: None | str | Unset
        if isinstance(self.outcome, Unset):
            outcome = UNSET
        else:
            outcome = self.outcome

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if used is not UNSET:
            field_dict["used"] = used
        if outcome is not UNSET:
            field_dict["outcome"] = outcome

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        used = cast(list[str], d.pop("used", UNSET))

        def _parse_outcome(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        outcome = _parse_outcome(d.pop("outcome", UNSET))

        update_recall_body = cls(
            used=used,
            outcome=outcome,
        )

        return update_recall_body
