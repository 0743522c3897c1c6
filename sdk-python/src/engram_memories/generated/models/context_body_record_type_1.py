# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ContextBodyRecordType1")


@_attrs_define
class ContextBodyRecordType1:
    run_id: str | Unset = UNSET
    """ Your own id for the run of the agent that asked. """
    metadata: Any | Unset = UNSET
    """ Your own data: any JSON object, which the receipt has as `metadata`. """

    def to_dict(self) -> dict[str, Any]:
        run_id = self.run_id

        metadata = self.metadata

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if run_id is not UNSET:
            field_dict["run_id"] = run_id
        if metadata is not UNSET:
            field_dict["metadata"] = metadata

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        run_id = d.pop("run_id", UNSET)

        metadata = d.pop("metadata", UNSET)

        context_body_record_type_1 = cls(
            run_id=run_id,
            metadata=metadata,
        )

        return context_body_record_type_1
