# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.search_memories_body_kind import SearchMemoriesBodyKind, check_search_memories_body_kind
from ..models.search_memories_body_mode import SearchMemoriesBodyMode, check_search_memories_body_mode
from ..models.search_memories_body_visibility_item import (
    SearchMemoriesBodyVisibilityItem,
    check_search_memories_body_visibility_item,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.search_memories_body_record_type_1 import SearchMemoriesBodyRecordType1


T = TypeVar("T", bound="SearchMemoriesBody")


@_attrs_define
class SearchMemoriesBody:
    query: str
    """ A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In `keyword` mode,
    every match contains each `"quoted phrase"` of the query. In `hybrid` mode, messages and memories that contain a
    quoted phrase rank higher. In a query of several lines, quotes have no meaning. Limits: 48 distinct words (of
    more, the longest are used), 16 phrases (of more, the first are used), 32 words per phrase. A longer phrase
    counts as plain words; in `keyword` mode it is rejected with 400. """
    exclude: list[str] | Unset = UNSET
    """ Words or phrases that no match has. They count in every mode and in any form of the words. At most 16, of 32
    words each. A phrase needs no quotes. Messages near a match may contain them. """
    mode: SearchMemoriesBodyMode | Unset = UNSET
    """ `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both. """
    limit: int | Unset = UNSET
    """ Maximum number of results. """
    agent_id: str | Unset = UNSET
    """ Only memories of this agent. """
    user_id: str | Unset = UNSET
    """ Only memories of this user. Shared ones match, too; others without a user do not. """
    visibility: list[SearchMemoriesBodyVisibilityItem] | Unset = UNSET
    """ Which conversations and memories are searched: those that are not shared (`own`), the shared ones
    (`shared`), or both. Default: both. """
    kind: SearchMemoriesBodyKind | Unset = UNSET
    """ Only memories of this kind. """
    source: str | Unset = UNSET
    """ Only memories from this source. """
    tags_any: list[str] | Unset = UNSET
    """ Only memories with at least one of these tags. """
    tags_all: list[str] | Unset = UNSET
    """ Only memories with all of these tags. """
    metadata: Any | Unset = UNSET
    """ Only memories whose `metadata` has all of these keys with these values at its top level. At most 16 keys.
    """
    created_after: str | Unset = UNSET
    """ Only memories captured at or after this time. """
    created_before: str | Unset = UNSET
    """ Only memories captured before this time. """
    as_of: str | Unset = UNSET
    """ Only what was stored at a moment of the past: a time, or a message as the id of its conversation, `:` and
    its sequence number. Matches are found and ranked by what is stored and indexed today. What was changed since
    has `edited_since`. """
    valid_at: str | Unset = UNSET
    """ Time at which memories should hold. Memories that do not hold then, because they have ended or not begun,
    rank below all other results. Default: now. """
    explain: bool | Unset = UNSET
    """ Whether to return the components of each match's score, as `explanation`. Default `false`. """
    rerank: bool | Unset = UNSET
    """ Whether to order the 50 best matches again with a model that reads query and text together. More accurate
    but slower, usually by a few hundred milliseconds. Default `false`. """
    min_relevance: float | Unset = UNSET
    """ Lowest `relevance`, 0 to 1. Results below it are left out and counted in `below_min_relevance`. Default: 0,
    which leaves out none. """
    keep_best: int | Unset = UNSET
    """ Number of best results that are kept although their `relevance` is below `min_relevance`: in a small store,
    an answer in other words than the question has a low relevance. A result with the relevance 0 is never kept. At
    most 10. Default 0. """
    record: bool | SearchMemoriesBodyRecordType1 | Unset = UNSET
    """ Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and hashes of the
    items, but no content. `true`, or an object with your own `run_id` and `metadata` for it. Default `false`. """
    max_tokens: int | Unset = UNSET
    """ Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and memories are chosen
    one by one: the best matches up to half of the limit, then the best match of each other result up to 70 %, then
    the nearest neighbors of these, then further matches. At first, a match has at most 300 tokens: a longer one is
    cut to the part with the most matching words, a memory to the chunk that matches. What is left makes cut matches
    longer, the best one first. A result is left out, and counted in `omitted`, if none of its messages fits.
    Default: no limit. """

    def to_dict(self) -> dict[str, Any]:
        from ..models.search_memories_body_record_type_1 import SearchMemoriesBodyRecordType1  # noqa: PLC0415

        query = self.query

        exclude: list[str] | Unset = UNSET
        if not isinstance(self.exclude, Unset):
            exclude = self.exclude

        mode: str | Unset = UNSET
        if not isinstance(self.mode, Unset):
            mode = self.mode

        limit = self.limit

        agent_id = self.agent_id

        user_id = self.user_id

        visibility: list[str] | Unset = UNSET
        if not isinstance(self.visibility, Unset):
            visibility = []
            for visibility_item_data in self.visibility:
                visibility_item: str = visibility_item_data
                visibility.append(visibility_item)

        kind: str | Unset = UNSET
        if not isinstance(self.kind, Unset):
            kind = self.kind

        source = self.source

        tags_any: list[str] | Unset = UNSET
        if not isinstance(self.tags_any, Unset):
            tags_any = self.tags_any

        tags_all: list[str] | Unset = UNSET
        if not isinstance(self.tags_all, Unset):
            tags_all = self.tags_all

        metadata = self.metadata

        created_after = self.created_after

        created_before = self.created_before

        as_of: str | Unset
        if isinstance(self.as_of, Unset):
            as_of = UNSET
        else:
            as_of = self.as_of

        valid_at = self.valid_at

        explain = self.explain

        rerank = self.rerank

        min_relevance = self.min_relevance

        keep_best = self.keep_best

        record: bool | dict[str, Any] | Unset
        if isinstance(self.record, Unset):
            record = UNSET
        elif isinstance(self.record, SearchMemoriesBodyRecordType1):
            record = self.record.to_dict()
        else:
            record = self.record

        max_tokens = self.max_tokens

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "query": query,
            }
        )
        if exclude is not UNSET:
            field_dict["exclude"] = exclude
        if mode is not UNSET:
            field_dict["mode"] = mode
        if limit is not UNSET:
            field_dict["limit"] = limit
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if visibility is not UNSET:
            field_dict["visibility"] = visibility
        if kind is not UNSET:
            field_dict["kind"] = kind
        if source is not UNSET:
            field_dict["source"] = source
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
        if as_of is not UNSET:
            field_dict["as_of"] = as_of
        if valid_at is not UNSET:
            field_dict["valid_at"] = valid_at
        if explain is not UNSET:
            field_dict["explain"] = explain
        if rerank is not UNSET:
            field_dict["rerank"] = rerank
        if min_relevance is not UNSET:
            field_dict["min_relevance"] = min_relevance
        if keep_best is not UNSET:
            field_dict["keep_best"] = keep_best
        if record is not UNSET:
            field_dict["record"] = record
        if max_tokens is not UNSET:
            field_dict["max_tokens"] = max_tokens

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.search_memories_body_record_type_1 import SearchMemoriesBodyRecordType1  # noqa: PLC0415

        d = dict(src_dict)
        query = d.pop("query")

        exclude = cast(list[str], d.pop("exclude", UNSET))

        _mode = d.pop("mode", UNSET)
        mode: SearchMemoriesBodyMode | Unset
        if isinstance(_mode, Unset):
            mode = UNSET
        else:
            mode = check_search_memories_body_mode(_mode)

        limit = d.pop("limit", UNSET)

        agent_id = d.pop("agent_id", UNSET)

        user_id = d.pop("user_id", UNSET)

        _visibility = d.pop("visibility", UNSET)
        visibility: list[SearchMemoriesBodyVisibilityItem] | Unset = UNSET
        if _visibility is not UNSET:
            visibility = []
            for visibility_item_data in _visibility:
                visibility_item = check_search_memories_body_visibility_item(visibility_item_data)

                visibility.append(visibility_item)

        _kind = d.pop("kind", UNSET)
        kind: SearchMemoriesBodyKind | Unset
        if isinstance(_kind, Unset):
            kind = UNSET
        else:
            kind = check_search_memories_body_kind(_kind)

        source = d.pop("source", UNSET)

        tags_any = cast(list[str], d.pop("tags_any", UNSET))

        tags_all = cast(list[str], d.pop("tags_all", UNSET))

        metadata = d.pop("metadata", UNSET)

        created_after = d.pop("created_after", UNSET)

        created_before = d.pop("created_before", UNSET)

        def _parse_as_of(data: object) -> str | Unset:
            if isinstance(data, Unset):
                return data
            return cast(str | Unset, data)

        as_of = _parse_as_of(d.pop("as_of", UNSET))

        valid_at = d.pop("valid_at", UNSET)

        explain = d.pop("explain", UNSET)

        rerank = d.pop("rerank", UNSET)

        min_relevance = d.pop("min_relevance", UNSET)

        keep_best = d.pop("keep_best", UNSET)

        def _parse_record(data: object) -> bool | SearchMemoriesBodyRecordType1 | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                record_type_1 = SearchMemoriesBodyRecordType1.from_dict(data)

                return record_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(bool | SearchMemoriesBodyRecordType1 | Unset, data)

        record = _parse_record(d.pop("record", UNSET))

        max_tokens = d.pop("max_tokens", UNSET)

        search_memories_body = cls(
            query=query,
            exclude=exclude,
            mode=mode,
            limit=limit,
            agent_id=agent_id,
            user_id=user_id,
            visibility=visibility,
            kind=kind,
            source=source,
            tags_any=tags_any,
            tags_all=tags_all,
            metadata=metadata,
            created_after=created_after,
            created_before=created_before,
            as_of=as_of,
            valid_at=valid_at,
            explain=explain,
            rerank=rerank,
            min_relevance=min_relevance,
            keep_best=keep_best,
            record=record,
            max_tokens=max_tokens,
        )

        return search_memories_body
