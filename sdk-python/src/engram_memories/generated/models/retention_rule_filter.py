# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RetentionRuleFilter")


@_attrs_define
class RetentionRuleFilter:
    """Which conversations or memories the rule is about. All conditions must match; without any, it is about all."""

    agent_id: str | Unset = UNSET
    """ Only those of this agent. """
    user_id: str | Unset = UNSET
    """ Only those of this user. """
    tags_any: list[str] | Unset = UNSET
    """ Only those with at least one of these tags. """
    tags_all: list[str] | Unset = UNSET
    """ Only those with all of these tags. """
    metadata: Any | Unset = UNSET
    """ Only those whose `metadata` has all of these keys with these values at its top level. At most 16 keys. """

    def to_dict(self) -> dict[str, Any]:
        agent_id = self.agent_id

        user_id = self.user_id

        tags_any: list[str] | Unset = UNSET
        if not isinstance(self.tags_any, Unset):
            tags_any = self.tags_any

        tags_all: list[str] | Unset = UNSET
        if not isinstance(self.tags_all, Unset):
            tags_all = self.tags_all

        metadata = self.metadata

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if tags_any is not UNSET:
            field_dict["tags_any"] = tags_any
        if tags_all is not UNSET:
            field_dict["tags_all"] = tags_all
        if metadata is not UNSET:
            field_dict["metadata"] = metadata

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        agent_id = d.pop("agent_id", UNSET)

        user_id = d.pop("user_id", UNSET)

        tags_any = cast(list[str], d.pop("tags_any", UNSET))

        tags_all = cast(list[str], d.pop("tags_all", UNSET))

        metadata = d.pop("metadata", UNSET)

        retention_rule_filter = cls(
            agent_id=agent_id,
            user_id=user_id,
            tags_any=tags_any,
            tags_all=tags_all,
            metadata=metadata,
        )

        return retention_rule_filter
