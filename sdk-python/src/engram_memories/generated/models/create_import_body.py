# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CreateImportBody")


@_attrs_define
class CreateImportBody:
    lines: int | Unset = UNSET
    """ Total number of lines of the import, if you know it. It becomes `progress.total` of the operation. """

    def to_dict(self) -> dict[str, Any]:
        lines = self.lines

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if lines is not UNSET:
            field_dict["lines"] = lines

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        lines = d.pop("lines", UNSET)

        create_import_body = cls(
            lines=lines,
        )

        return create_import_body
