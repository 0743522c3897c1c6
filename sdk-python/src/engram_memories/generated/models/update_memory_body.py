# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_source import NewSource


T = TypeVar("T", bound="UpdateMemoryBody")


@_attrs_define
class UpdateMemoryBody:
    content: str | Unset = UNSET
    """ New content, which is chunked and embedded again. At least one character. """
    user_id: str | Unset = UNSET
    """ User of a memory that has none. A memory of another user stays as it is: the request fails with 409. """
    shared: bool | Unset = UNSET
    """ Whether every user of the organization can read the memory. Only a key that is bound to no user can share;
    any other gets 403. A memory with a user cannot be shared: the request fails with 409. """
    sources: list[NewSource] | Unset = UNSET
    """ Messages that the memory was derived from, which replace all of the old. At most 32. The key must be able to
    read each message. A memory of a user can cite messages of that user and of no user; a memory without a user,
    only messages of no user. Otherwise the request fails with 400, `errors` names the source, and nothing is
    stored. """
    source: None | str | Unset = UNSET
    """ Your own name for the source of the memory. """
    tags: list[str] | Unset = UNSET
    """ New tags, which replace all of the old. """
    summary: None | str | Unset = UNSET
    """ Short summary of the content. At most 1,000 characters. """
    metadata: Any | Unset = UNSET
    """ New metadata, which replaces all of the old. """
    valid_from: None | str | Unset = UNSET
    """ Time from which the memory holds, such as the day of a move. Null: it held at all times before
    `valid_until`. """
    valid_until: None | str | Unset = UNSET
    """ Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold.
    Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time. """
    occurred_at: None | str | Unset = UNSET
    """ Time of the event that the memory is about. It does not affect search. """
    expires_at: None | str | Unset = UNSET
    """ Time from which the item is deleted. The service usually deletes it within a few minutes; when much is due
    in many organizations, they take turns. It is an ordinary deletion, whose operation reports when the item is
    gone; until it begins, the item is not hidden. Null: it does not expire. """

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        user_id = self.user_id

        shared = self.shared

        sources: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.sources, Unset):
            sources = []
            for sources_item_data in self.sources:
                sources_item = sources_item_data.to_dict()
                sources.append(sources_item)

        source: None | str | Unset
        if isinstance(self.source, Unset):
            source = UNSET
        else:
            source = self.source

        tags: list[str] | Unset = UNSET
        if not isinstance(self.tags, Unset):
            tags = self.tags

        summary: None | str | Unset
        if isinstance(self.summary, Unset):
            summary = UNSET
        else:
            summary = self.summary

        metadata = self.metadata

        valid_from: None | str | Unset
        if isinstance(self.valid_from, Unset):
            valid_from = UNSET
        else:
            valid_from = self.valid_from

        valid_until: None | str | Unset
        if isinstance(self.valid_until, Unset):
            valid_until = UNSET
        else:
            valid_until = self.valid_until

        occurred_at: None | str | Unset
        if isinstance(self.occurred_at, Unset):
            occurred_at = UNSET
        else:
            occurred_at = self.occurred_at

        expires_at: None | str | Unset
        if isinstance(self.expires_at, Unset):
            expires_at = UNSET
        else:
            expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if content is not UNSET:
            field_dict["content"] = content
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if shared is not UNSET:
            field_dict["shared"] = shared
        if sources is not UNSET:
            field_dict["sources"] = sources
        if source is not UNSET:
            field_dict["source"] = source
        if tags is not UNSET:
            field_dict["tags"] = tags
        if summary is not UNSET:
            field_dict["summary"] = summary
        if metadata is not UNSET:
            field_dict["metadata"] = metadata
        if valid_from is not UNSET:
            field_dict["valid_from"] = valid_from
        if valid_until is not UNSET:
            field_dict["valid_until"] = valid_until
        if occurred_at is not UNSET:
            field_dict["occurred_at"] = occurred_at
        if expires_at is not UNSET:
            field_dict["expires_at"] = expires_at

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.new_source import NewSource  # noqa: PLC0415

        d = dict(src_dict)
        content = d.pop("content", UNSET)

        user_id = d.pop("user_id", UNSET)

        shared = d.pop("shared", UNSET)

        _sources = d.pop("sources", UNSET)
        sources: list[NewSource] | Unset = UNSET
        if _sources is not UNSET:
            sources = []
            for sources_item_data in _sources:
                sources_item = NewSource.from_dict(sources_item_data)

                sources.append(sources_item)

        def _parse_source(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        source = _parse_source(d.pop("source", UNSET))

        tags = cast(list[str], d.pop("tags", UNSET))

        def _parse_summary(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        summary = _parse_summary(d.pop("summary", UNSET))

        metadata = d.pop("metadata", UNSET)

        def _parse_valid_from(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        valid_from = _parse_valid_from(d.pop("valid_from", UNSET))

        def _parse_valid_until(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        valid_until = _parse_valid_until(d.pop("valid_until", UNSET))

        def _parse_occurred_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        occurred_at = _parse_occurred_at(d.pop("occurred_at", UNSET))

        def _parse_expires_at(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        expires_at = _parse_expires_at(d.pop("expires_at", UNSET))

        update_memory_body = cls(
            content=content,
            user_id=user_id,
            shared=shared,
            sources=sources,
            source=source,
            tags=tags,
            summary=summary,
            metadata=metadata,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            expires_at=expires_at,
        )

        return update_memory_body
