# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="RetentionPreview")


@_attrs_define
class RetentionPreview:
    """What a rule would delete now."""

    matched: int
    """ Number of items that a rule with these fields would delete now. """
    held: int
    """ Number of items that match the filter and are under legal hold. They would not be deleted. """
    complete: bool
    """ Whether all matching items were counted. `false` if counting would read more than 100,000 items with a
    filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and the
    deletion may delete more than they say. """
    samples: list[str]
    """ Ids of up to 10 of them, oldest first. Of `usage`, its days; of `events`, their sequences. """

    def to_dict(self) -> dict[str, Any]:
        matched = self.matched

        held = self.held

        complete = self.complete

        samples = self.samples

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "matched": matched,
                "held": held,
                "complete": complete,
                "samples": samples,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        matched = d.pop("matched")

        held = d.pop("held")

        complete = d.pop("complete")

        samples = cast(list[str], d.pop("samples"))

        retention_preview = cls(
            matched=matched,
            held=held,
            complete=complete,
            samples=samples,
        )

        return retention_preview
