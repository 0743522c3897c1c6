# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="RepairIndexOperationProblemType0")


@_attrs_define
class RepairIndexOperationProblemType0:
    """Why the repair failed; null unless `status` is `failed`."""

    code: Literal["attempts_exhausted"]
    """ Error code, for programs. `attempts_exhausted`: the work failed as often as the service tries it. """
    title: str
    """ Short name of the error, the same for every occurrence of the code. """
    detail: str
    """ What failed and what to do next, for people. Safe to display. """

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        title = self.title

        detail = self.detail

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "code": code,
                "title": title,
                "detail": detail,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        code = cast(Literal["attempts_exhausted"], d.pop("code"))
        if code != "attempts_exhausted":
            raise ValueError(f"code must match const 'attempts_exhausted', got '{code}'")

        title = d.pop("title")

        detail = d.pop("detail")

        repair_index_operation_problem_type_0 = cls(
            code=code,
            title=title,
            detail=detail,
        )

        return repair_index_operation_problem_type_0
