# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.hold_filter_corpus import HoldFilterCorpus, check_hold_filter_corpus
from ..types import UNSET, Unset

T = TypeVar("T", bound="HoldFilter")


@_attrs_define
class HoldFilter:
    """Conversations and memories that are held, also those that are stored later. All conditions must match. An empty
    filter holds everything.

    """

    corpus: HoldFilterCorpus | Unset = UNSET
    """ Only conversations, or only memories. Default: both. """
    agent_id: str | Unset = UNSET
    """ Only items of this agent. """
    user_id: str | Unset = UNSET
    """ Only items of this user. """
    tags_any: list[str] | Unset = UNSET
    """ Only items with at least one of these tags. """
    tags_all: list[str] | Unset = UNSET
    """ Only items with all of these tags. """
    metadata: Any | Unset = UNSET
    """ Only conversations whose `metadata` has all of these keys with these values at its top level. At most 16
    keys. """
    created_after: str | Unset = UNSET
    """ Only items created at or after this time. """
    created_before: str | Unset = UNSET
    """ Only items created before this time. """

    def to_dict(self) -> dict[str, Any]:
        corpus: str | Unset = UNSET
        if not isinstance(self.corpus, Unset):
            corpus = self.corpus

        agent_id = self.agent_id

        user_id = self.user_id

        tags_any: list[str] | Unset = UNSET
        if not isinstance(self.tags_any, Unset):
            tags_any = self.tags_any

        tags_all: list[str] | Unset = UNSET
        if not isinstance(self.tags_all, Unset):
            tags_all = self.tags_all

        metadata = self.metadata

        created_after = self.created_after

        created_before = self.created_before

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if corpus is not UNSET:
            field_dict["corpus"] = corpus
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
        if created_after is not UNSET:
            field_dict["created_after"] = created_after
        if created_before is not UNSET:
            field_dict["created_before"] = created_before

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        _corpus = d.pop("corpus", UNSET)
        corpus: HoldFilterCorpus | Unset
        if isinstance(_corpus, Unset):
            corpus = UNSET
        else:
            corpus = check_hold_filter_corpus(_corpus)

        agent_id = d.pop("agent_id", UNSET)

        user_id = d.pop("user_id", UNSET)

        tags_any = cast(list[str], d.pop("tags_any", UNSET))

        tags_all = cast(list[str], d.pop("tags_all", UNSET))

        metadata = d.pop("metadata", UNSET)

        created_after = d.pop("created_after", UNSET)

        created_before = d.pop("created_before", UNSET)

        hold_filter = cls(
            corpus=corpus,
            agent_id=agent_id,
            user_id=user_id,
            tags_any=tags_any,
            tags_all=tags_all,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
        )

        return hold_filter
