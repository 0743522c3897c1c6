# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.import_problem_code import ImportProblemCode, check_import_problem_code

T = TypeVar("T", bound="ImportProblem")


@_attrs_define
class ImportProblem:
    """A line that was not imported."""

    line: int
    """ Number of the line in this request, from 1. """
    code: ImportProblemCode
    """ Why the line was not imported. `invalid_json`: it is not JSON, or is JSON that cannot be stored exactly.
    `validation_failed`: it does not have the form of an export line. `not_found`: it is a message whose
    conversation, or a version whose memory, was not imported before it. `import_conflict`: its sequence number, id
    or external id belongs to a different item, or its agent has a memory with this content under another id.
    `held`: it would change an item under legal hold: it is an earlier version of a held memory, or a message before
    the last one of a held conversation. """
    detail: str
    """ What is wrong with the line, for people. """

    def to_dict(self) -> dict[str, Any]:
        line = self.line

        code: str = self.code

        detail = self.detail

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "line": line,
                "code": code,
                "detail": detail,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        line = d.pop("line")

        code = check_import_problem_code(d.pop("code"))

        detail = d.pop("detail")

        import_problem = cls(
            line=line,
            code=code,
            detail=detail,
        )

        return import_problem
