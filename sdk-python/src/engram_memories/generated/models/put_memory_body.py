# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.memory_kind import MemoryKind, check_memory_kind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_source import NewSource


T = TypeVar("T", bound="PutMemoryBody")


@_attrs_define
class PutMemoryBody:
    content: str
    """ Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be
    empty only if `parts` is given. """
    external_id: str
    """ Your own id for the memory, unique among the memories of its agent and user. Any other memory may have the
    same content. """
    parts: Any | Unset = UNSET
    """ The memory as your framework represents it: any JSON array or object, returned exactly as it was sent. At
    most 500,000 bytes as JSON. Not searched. """
    sources: list[NewSource] | Unset = UNSET
    """ Messages that the memory was derived from. At most 32. The key must be able to read each message. A memory
    of a user can cite messages of that user and of no user; a memory without a user, only messages of no user.
    Otherwise the request fails with 400, `errors` names the source, and nothing is stored. """
    kind: MemoryKind | Unset = UNSET
    """ `note`: something to remember. `summary`: a summary of content from elsewhere, such as a conversation. """
    source: None | str | Unset = UNSET
    """ Your own name for the source of the memory. """
    agent_id: None | str | Unset = UNSET
    """ Your own id for the agent that the memory belongs to. A key bound to an agent sets that agent, and rejects
    any other with 403. """
    user_id: None | str | Unset = UNSET
    """ Your own id for the user that the memory belongs to. A key bound to a user sets that user, and rejects any
    other with 403. """
    shared: bool | None | Unset = UNSET
    """ `true`: every user of the organization can read it beside their own; it then has no `user_id`. Only a key
    that is bound to no user can share; any other gets 403. Default `false`. """
    tags: list[str] | Unset = UNSET
    """ Labels to filter by, returned in the order in which you sent them. At most 64. """
    summary: None | str | Unset = UNSET
    """ Short summary of the content. At most 1,000 characters. """
    metadata: Any | Unset = UNSET
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
    supersedes: None | str | Unset = UNSET
    """ Id of a memory of the same agent and user that this one replaces. It ends in the same transaction, at
    `valid_from` (then by default now) unless it has ended before, and names this one in `superseded_by`. Without
    such a memory, the request fails with 404, and if the new content is stored already, with 409. Nothing is stored
    then. """
    created_at: str | Unset = UNSET
    """ Time when the memory was captured, with millisecond precision. Set it for a memory from the past. Default:
    now. """
    wait: Literal["indexed"] | Unset = UNSET
    """ `indexed`: delay the response until the vector store has accepted the vectors of the memory, but for at most
    25 seconds. Semantic search finds the memory some seconds after that, or at once if the service runs on a single
    machine. A bulk capture waits for at most 25 of its memories. `getMemory` shows whether each chunk is indexed.
    Default: respond without waiting. """

    def to_dict(self) -> dict[str, Any]:
        content = self.content

        external_id = self.external_id

        parts = self.parts

        sources: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.sources, Unset):
            sources = []
            for sources_item_data in self.sources:
                sources_item = sources_item_data.to_dict()
                sources.append(sources_item)

        kind: str | Unset = UNSET
        if not isinstance(self.kind, Unset):
            kind = self.kind

        source: None | str | Unset
        if isinstance(self.source, Unset):
            source = UNSET
        else:
            source = self.source

        agent_id: None | str | Unset
        if isinstance(self.agent_id, Unset):
            agent_id = UNSET
        else:
            agent_id = self.agent_id

        user_id: None | str | Unset
        if isinstance(self.user_id, Unset):
            user_id = UNSET
        else:
            user_id = self.user_id

        shared: bool | None | Unset
        if isinstance(self.shared, Unset):
            shared = UNSET
        else:
            shared = self.shared

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

        supersedes: None | str | Unset
        if isinstance(self.supersedes, Unset):
            supersedes = UNSET
        else:
            supersedes = self.supersedes

        created_at = self.created_at

        wait = self.wait

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "content": content,
                "external_id": external_id,
            }
        )
        if parts is not UNSET:
            field_dict["parts"] = parts
        if sources is not UNSET:
            field_dict["sources"] = sources
        if kind is not UNSET:
            field_dict["kind"] = kind
        if source is not UNSET:
            field_dict["source"] = source
        if agent_id is not UNSET:
            field_dict["agent_id"] = agent_id
        if user_id is not UNSET:
            field_dict["user_id"] = user_id
        if shared is not UNSET:
            field_dict["shared"] = shared
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
        if supersedes is not UNSET:
            field_dict["supersedes"] = supersedes
        if created_at is not UNSET:
            field_dict["created_at"] = created_at
        if wait is not UNSET:
            field_dict["wait"] = wait

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.new_source import NewSource  # noqa: PLC0415

        d = dict(src_dict)
        content = d.pop("content")

        external_id = d.pop("external_id")

        parts = d.pop("parts", UNSET)

        _sources = d.pop("sources", UNSET)
        sources: list[NewSource] | Unset = UNSET
        if _sources is not UNSET:
            sources = []
            for sources_item_data in _sources:
                sources_item = NewSource.from_dict(sources_item_data)

                sources.append(sources_item)

        _kind = d.pop("kind", UNSET)
        kind: MemoryKind | Unset
        if isinstance(_kind, Unset):
            kind = UNSET
        else:
            kind = check_memory_kind(_kind)

        def _parse_source(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        source = _parse_source(d.pop("source", UNSET))

        def _parse_agent_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        agent_id = _parse_agent_id(d.pop("agent_id", UNSET))

        def _parse_user_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        user_id = _parse_user_id(d.pop("user_id", UNSET))

        def _parse_shared(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        shared = _parse_shared(d.pop("shared", UNSET))

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

        def _parse_supersedes(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        supersedes = _parse_supersedes(d.pop("supersedes", UNSET))

        created_at = d.pop("created_at", UNSET)

        wait = cast(Literal["indexed"] | Unset, d.pop("wait", UNSET))
        if wait != "indexed" and not isinstance(wait, Unset):
            raise ValueError(f"wait must match const 'indexed', got '{wait}'")

        put_memory_body = cls(
            content=content,
            external_id=external_id,
            parts=parts,
            sources=sources,
            kind=kind,
            source=source,
            agent_id=agent_id,
            user_id=user_id,
            shared=shared,
            tags=tags,
            summary=summary,
            metadata=metadata,
            valid_from=valid_from,
            valid_until=valid_until,
            occurred_at=occurred_at,
            expires_at=expires_at,
            supersedes=supersedes,
            created_at=created_at,
            wait=wait,
        )

        return put_memory_body
