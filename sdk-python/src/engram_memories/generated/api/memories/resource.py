# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.captured_memories import CapturedMemories
from ...models.captured_memory import CapturedMemory
from ...models.delete_memories_body_filter import DeleteMemoriesBodyFilter
from ...models.delete_memories_operation import DeleteMemoriesOperation
from ...models.delete_memory_operation import DeleteMemoryOperation
from ...models.enrich_memories_body_filter import EnrichMemoriesBodyFilter
from ...models.enrich_memories_operation import EnrichMemoriesOperation
from ...models.list_memories_kind import ListMemoriesKind
from ...models.list_memories_order import ListMemoriesOrder
from ...models.list_memories_sort import ListMemoriesSort
from ...models.list_memories_visibility_item import ListMemoriesVisibilityItem
from ...models.memories_counted import MemoriesCounted
from ...models.memory import Memory
from ...models.memory_kind import MemoryKind
from ...models.memory_page import MemoryPage
from ...models.memory_search_answer import MemorySearchAnswer
from ...models.memory_version import MemoryVersion
from ...models.memory_version_page import MemoryVersionPage
from ...models.memory_with_chunks import MemoryWithChunks
from ...models.new_memory import NewMemory
from ...models.new_source import NewSource
from ...models.search_memories_body_kind import SearchMemoriesBodyKind
from ...models.search_memories_body_mode import SearchMemoriesBodyMode
from ...models.search_memories_body_record_type_1 import SearchMemoriesBodyRecordType1
from ...models.search_memories_body_visibility_item import (
    SearchMemoriesBodyVisibilityItem,
)
from ...types import UNSET, Unset
from . import create_memories as _create_memories
from . import create_memory as _create_memory
from . import delete_memories as _delete_memories
from . import delete_memory as _delete_memory
from . import enrich_memories as _enrich_memories
from . import get_memory as _get_memory
from . import list_memories as _list_memories
from . import list_memory_versions as _list_memory_versions
from . import put_memory as _put_memory
from . import search_memories as _search_memories
from . import update_memory as _update_memory


class MemoriesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        kind: ListMemoriesKind | Unset = UNSET,
        source: str | Unset = UNSET,
        visibility: Sequence[ListMemoriesVisibilityItem] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        exact_owner: bool | Unset = UNSET,
        source_conversation_id: str | Unset = UNSET,
        source_message_id: str | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        occurred_after: str | Unset = UNSET,
        occurred_before: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        sort: ListMemoriesSort | Unset = UNSET,
        order: ListMemoriesOrder | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> List[Memory, MemoryPage]:
        """List memories.

        Returns a page of memories with their full content, most recently captured first unless `sort` and
        `order` say otherwise. All filters must match. A page may hold fewer items than `limit`: it ends before
        its JSON exceeds 2 MB, or before its metadata and parts together exceed 50,000 object fields and array
        items. A single item above these limits is returned on a page of its own. A page may even be empty
        without being the last: to find matching items, one request reads at most 4,000 items with a filter by
        tags or metadata, or 50,000 otherwise. Continue until `next_cursor` is null. A memory that is captured
        or changed between two of your requests for pages may be skipped or repeated. All others are returned
        exactly once.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            include_total: Whether to return `total`, the number of matching items on all pages. Default
                `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by
                tags or metadata, or more than 50,000 with another filter.
            agent_id: Only memories of this agent.
            user_id: Only memories of this user. Memories without a user do not match.
            kind: Only memories of this kind.
            source: Only memories from this source.
            visibility: Only memories that are not shared (`own`), or only shared ones (`shared`). Default: all
                that the key can read.
            external_id: Only memories with this `external_id`.
            exact_owner: Whether an `agent_id` or `user_id` that you leave out means none, or that of the key,
                instead of any. Default `false`. With `external_id`, the list then has the one item that
                creating it would find, or none.
            source_conversation_id: Only memories that cite a message of this conversation, also one that is
                deleted.
            source_message_id: Only memories that cite this message, also if it is deleted.
            tags_any: Only memories with at least one of these tags.
            tags_all: Only memories with all of these tags.
            created_after: Only memories captured at or after this time.
            created_before: Only memories captured before this time.
            valid_at: Only memories that hold at this time: from `valid_from` until before `valid_until`, where
                a missing one sets no bound.
            occurred_after: Only memories with an `occurred_at` at or after this time.
            occurred_before: Only memories with an `occurred_at` before this time.
            sort: Field to sort by.
            order: Sort order.
            as_of: Answer as of a moment of the past: the memories that were stored by then, each in the version
                of then, and filtered by it. A time, or a message as the id of its conversation, `:` and its
                sequence number. What was deleted since stays deleted, and the sources are those of today.
        """

        def fetch(cursor: str | None) -> MemoryPage:
            return self._http.call(
                _list_memories.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    include_total=include_total,
                    agent_id=agent_id,
                    user_id=user_id,
                    kind=kind,
                    source=source,
                    visibility=visibility,
                    external_id=external_id,
                    exact_owner=exact_owner,
                    source_conversation_id=source_conversation_id,
                    source_message_id=source_message_id,
                    tags_any=tags_any,
                    tags_all=tags_all,
                    created_after=created_after,
                    created_before=created_before,
                    valid_at=valid_at,
                    occurred_after=occurred_after,
                    occurred_before=occurred_before,
                    metadata=metadata,
                    sort=sort,
                    order=order,
                    as_of=as_of,
                )
            )

        return List(fetch, cursor or None)

    def put(
        self,
        *,
        content: str,
        external_id: str,
        parts: Any | Unset = UNSET,
        sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
        kind: MemoryKind | Unset = UNSET,
        source: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        shared: bool | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        summary: str | None | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        valid_from: str | None | Unset = UNSET,
        valid_until: str | None | Unset = UNSET,
        occurred_at: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        supersedes: str | None | Unset = UNSET,
        created_at: str | Unset = UNSET,
        wait: Literal["indexed"] | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> Memory:
        """Create or replace a memory.

        Stores a memory under your own id. If the agent and user have a memory with this `external_id`, all its
        fields are replaced; one that you leave out gets its default. Its `id`, its `superseded_by` and, unless
        you send them, its `created_at` and `supersedes` stay. The memory as it was before is kept as an earlier
        version. Sending the same request again changes nothing but `updated_at`, so it needs no idempotency
        key. The path names no memory, because your id is unique only together with the agent and the user in
        the body. With `If-Match`, nothing is stored if there is no such memory, or it has a newer version than
        that `ETag`.

        Needs the scope `write`.

        Args:
            content: Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as
                UTF-8. It may be empty only if `parts` is given.
            external_id: Your own id for the memory, unique among the memories of its agent and user. Any other
                memory may have the same content.
            parts: The memory as your framework represents it: any JSON array or object, returned exactly as it
                was sent. At most 500,000 bytes as JSON. Not searched.
            sources: Messages that the memory was derived from. At most 32. The key must be able to read each
                message. A memory of a user can cite messages of that user and of no user; a memory without a
                user, only messages of no user. Otherwise the request fails with 400, `errors` names the source,
                and nothing is stored.
            kind: `note`: something to remember. `summary`: a summary of content from elsewhere, such as a
                conversation.
            source: Your own name for the source of the memory.
            agent_id: Your own id for the agent that the memory belongs to. A key bound to an agent sets that
                agent, and rejects any other with 403.
            user_id: Your own id for the user that the memory belongs to. A key bound to a user sets that user,
                and rejects any other with 403.
            shared: `true`: every user of the organization can read it beside their own; it then has no
                `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.
            tags: Labels to filter by, returned in the order in which you sent them. At most 64.
            summary: Short summary of the content. At most 1,000 characters.
            valid_from: Time from which the memory holds, such as the day of a move. Null: it held at all times
                before `valid_until`.
            valid_until: Time from which the memory no longer holds. It is then an ended memory: search ranks it
                below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its
                `valid_from` holds at no time.
            occurred_at: Time of the event that the memory is about. It does not affect search.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
            supersedes: Id of a memory of the same agent and user that this one replaces. It ends in the same
                transaction, at `valid_from` (then by default now) unless it has ended before, and names this
                one in `superseded_by`. Without such a memory, the request fails with 404, and if the new
                content is stored already, with 409. Nothing is stored then.
            created_at: Time when the memory was captured, with millisecond precision. Set it for a memory from
                the past. Default: now.
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the memory,
                but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once
                if the service runs on a single machine. A bulk capture waits for at most 25 of its memories.
                `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
        """
        return self._http.call(
            _put_memory.request(
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
                if_match=if_match,
            )
        )

    def create(
        self,
        *,
        content: str,
        parts: Any | Unset = UNSET,
        sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
        kind: MemoryKind | Unset = UNSET,
        source: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        shared: bool | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        summary: str | None | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        valid_from: str | None | Unset = UNSET,
        valid_until: str | None | Unset = UNSET,
        occurred_at: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        supersedes: str | None | Unset = UNSET,
        created_at: str | Unset = UNSET,
        check_conflicts: bool | Unset = UNSET,
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CapturedMemory:
        """Capture a memory.

        Stores a memory verbatim. If the agent and user have a memory with exactly this content, that one is
        returned with 200: its `updated_at` is set to now, and nothing else of it changes. If the service has a
        text model, the model writes the tags and the summary that you do not give, soon after the response. It
        never replaces yours. Keyword search finds the memory at once, semantic search within seconds.

        Needs the scope `write`.

        Args:
            content: Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as
                UTF-8. It may be empty only if `parts` is given.
            parts: The memory as your framework represents it: any JSON array or object, returned exactly as it
                was sent. At most 500,000 bytes as JSON. Not searched.
            sources: Messages that the memory was derived from. At most 32. The key must be able to read each
                message. A memory of a user can cite messages of that user and of no user; a memory without a
                user, only messages of no user. Otherwise the request fails with 400, `errors` names the source,
                and nothing is stored.
            kind: `note`: something to remember. `summary`: a summary of content from elsewhere, such as a
                conversation.
            source: Your own name for the source of the memory.
            agent_id: Your own id for the agent that the memory belongs to. A key bound to an agent sets that
                agent, and rejects any other with 403.
            user_id: Your own id for the user that the memory belongs to. A key bound to a user sets that user,
                and rejects any other with 403.
            shared: `true`: every user of the organization can read it beside their own; it then has no
                `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.
            external_id: Your own id for the memory, unique among the memories of its agent and user. Its
                content may occur in other memories. If it is stored already with this content, that memory is
                returned; with other content, the request fails with 409. `putMemory` replaces it.
            tags: Labels to filter by, returned in the order in which you sent them. At most 64.
            summary: Short summary of the content. At most 1,000 characters.
            valid_from: Time from which the memory holds, such as the day of a move. Null: it held at all times
                before `valid_until`.
            valid_until: Time from which the memory no longer holds. It is then an ended memory: search ranks it
                below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its
                `valid_from` holds at no time.
            occurred_at: Time of the event that the memory is about. It does not affect search.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
            supersedes: Id of a memory of the same agent and user that this one replaces. It ends in the same
                transaction, at `valid_from` (then by default now) unless it has ended before, and names this
                one in `superseded_by`. Without such a memory, the request fails with 404, and if the new
                content is stored already, with 409. Nothing is stored then.
            created_at: Time when the memory was captured, with millisecond precision. Set it for a memory from
                the past. Default: now.
            check_conflicts: Whether to return `possible_conflicts`. Then the request also reads other memories
                of the agent and user. Default `false`.
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the memory,
                but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once
                if the service runs on a single machine. A bulk capture waits for at most 25 of its memories.
                `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
        """
        return self._http.call(
            _create_memory.request(
                content=content,
                parts=parts,
                sources=sources,
                kind=kind,
                source=source,
                agent_id=agent_id,
                user_id=user_id,
                shared=shared,
                external_id=external_id,
                tags=tags,
                summary=summary,
                metadata=metadata,
                valid_from=valid_from,
                valid_until=valid_until,
                occurred_at=occurred_at,
                expires_at=expires_at,
                supersedes=supersedes,
                created_at=created_at,
                check_conflicts=check_conflicts,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )

    def create_many(
        self,
        *,
        memories: Sequence[NewMemory | Mapping[str, Any]],
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CapturedMemories:
        """Capture memories in bulk.

        Stores up to 1,000 memories, all or none, each in the same way as a single capture. Only those that were
        deleted with `forget` are skipped, and their items say so. Content that occurs several times in the
        request is stored once. One bulk capture holds at most 2,097,152 bytes (content as UTF-8, everything
        else as JSON); a larger one fails with 413 and stores nothing.

        Needs the scope `write`.

        Args:
            memories: Memories to store: 1 to 1,000, and in total at most 2,097,152 bytes (content as UTF-8,
                everything else as JSON).
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the memory,
                but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once
                if the service runs on a single machine. A bulk capture waits for at most 25 of its memories.
                `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
        """
        return self._http.call(
            _create_memories.request(
                memories=memories,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        memory_id: str,
        *,
        as_of: str | Unset = UNSET,
    ) -> MemoryWithChunks:
        """Get a memory with its chunks.

        Returns a memory with its full content, and the chunks by which semantic search finds it.

        Needs the scope `read`.

        Args:
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """
        return self._http.call(
            _get_memory.request(
                memory_id=memory_id,
                as_of=as_of,
            )
        )

    def delete(
        self,
        memory_id: str,
        *,
        forget: bool | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> DeleteMemoryOperation:
        """Delete a memory.

        Deletes a memory. It is excluded from every response at once. Its database row, earlier versions,
        keyword index entries and vectors are then removed for good, in the background. A deletion cannot be
        undone. The same content can be captured again, as a new memory. With `forget`, neither the content nor
        the external id is stored again for the agent and the user, nor the memory by an import:
        `listTombstones` says how.

        Needs the scope `delete`.

        Args:
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return self._http.call(
            _delete_memory.request(
                memory_id=memory_id,
                forget=forget,
                if_match=if_match,
            )
        )

    def update(
        self,
        memory_id: str,
        *,
        content: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        shared: bool | Unset = UNSET,
        sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
        source: str | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        summary: str | None | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        valid_from: str | None | Unset = UNSET,
        valid_until: str | None | Unset = UNSET,
        occurred_at: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> Memory:
        """Update a memory.

        Changes the given fields; omitted fields stay unchanged. The memory as it was before is kept as an
        earlier version, which `listMemoryVersions` returns. New content removes the tags and the summary that a
        text model wrote for the old content, and sets `enriched_by` to null. With `If-Match`, nothing is
        changed if the memory has a newer version than that `ETag`. If the agent and user have another memory
        with the content, the request fails with 409. If the memory would get content or a user that was deleted
        with `forget`, too.

        Needs the scope `write`.

        Args:
            content: New content, which is chunked and embedded again. At least one character.
            user_id: User of a memory that has none. A memory of another user stays as it is: the request fails
                with 409.
            shared: Whether every user of the organization can read the memory. Only a key that is bound to no
                user can share; any other gets 403. A memory with a user cannot be shared: the request fails
                with 409.
            sources: Messages that the memory was derived from, which replace all of the old. At most 32. The
                key must be able to read each message. A memory of a user can cite messages of that user and of
                no user; a memory without a user, only messages of no user. Otherwise the request fails with
                400, `errors` names the source, and nothing is stored.
            source: Your own name for the source of the memory.
            tags: New tags, which replace all of the old.
            summary: Short summary of the content. At most 1,000 characters.
            metadata: New metadata, which replaces all of the old.
            valid_from: Time from which the memory holds, such as the day of a move. Null: it held at all times
                before `valid_until`.
            valid_until: Time from which the memory no longer holds. It is then an ended memory: search ranks it
                below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its
                `valid_from` holds at no time.
            occurred_at: Time of the event that the memory is about. It does not affect search.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
        """
        return self._http.call(
            _update_memory.request(
                memory_id=memory_id,
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
                if_match=if_match,
            )
        )

    def list_versions(
        self,
        memory_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[MemoryVersion, MemoryVersionPage]:
        """List the versions of a memory.

        Returns a page of the versions of a memory, newest first. The first one is the memory as it is now.
        Every change keeps the version before it: an update, a replacement by `putMemory`, tags or a summary by
        a text model, and the end of a memory that another one supersedes. A request that changes nothing keeps
        none. Whoever can read the memory can read all its versions. They are removed with the memory. A page
        may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB, or before its metadata and
        parts together exceed 50,000 object fields and array items. A single item above these limits is returned
        on a page of its own.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> MemoryVersionPage:
            return self._http.call(
                _list_memory_versions.request(
                    memory_id=memory_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def delete_many(
        self,
        *,
        filter: DeleteMemoriesBodyFilter | Mapping[str, Any] | Unset = UNSET,
        all: bool | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        forget: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> MemoriesCounted | DeleteMemoriesOperation:
        """Delete memories by filter, or all.

        Deletes every memory that matches the filter, or with `all` every memory that the key can change. A
        deleted memory is excluded from every response. Up to 1,000 memories are deleted before the request
        returns. The others follow in the background, oldest first, in steps of up to 1,000. One step reads at
        most 4,000 memories with a filter by tags or metadata, or 50,000 otherwise. Memories captured after the
        request are not deleted. Rows, keyword index entries and vectors are removed for good afterwards.
        `cancelOperation` stops the steps that have not begun; it cannot restore memories that are already
        deleted.

        Needs the scope `delete`.

        Args:
            filter: Memories to delete. All conditions must match; at least one is required.
            all: Instead of a filter: delete every memory that the key can change.
            dry_run: `true`: delete nothing, and return the number of memories that would be deleted.
                Recommended before every deletion. Default `false`.
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return self._http.call(
            _delete_memories.request(
                filter=filter,
                all=all,
                dry_run=dry_run,
                forget=forget,
                idempotency_key=idempotency_key,
            )
        )

    def enrich(
        self,
        *,
        filter: EnrichMemoriesBodyFilter | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> EnrichMemoriesOperation:
        """Enrich memories with tags and summaries.

        Has the text model of the service write the tags and summaries that memories lack. Tags and summaries
        that you gave never change. Those that an earlier text model wrote are replaced; those of the current
        one are kept. If the service has no text model, the request fails with 503. The work has two passes. In
        the first, the model suggests tags for each memory, and nothing is stored. In the second, it writes tags
        and summaries. It can choose from the 50 most frequent tags of the first pass, so that memories about
        one topic get the same tag. Memories go through both passes in groups of 5,000, or 4,000 with a filter
        by tags or metadata, oldest first. `progress` does not count memories that are queued for enrichment
        already: those captured or changed shortly before, and those of another `enrichMemories` operation.

        Needs the scope `write`.

        Args:
            filter: Memories to enrich. All conditions must match. Default: all that the key can change.
        """
        return self._http.call(
            _enrich_memories.request(
                filter=filter,
                idempotency_key=idempotency_key,
            )
        )

    def search(
        self,
        *,
        query: str,
        exclude: Sequence[str] | Unset = UNSET,
        mode: SearchMemoriesBodyMode | Unset = UNSET,
        limit: int | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[SearchMemoriesBodyVisibilityItem] | Unset = UNSET,
        kind: SearchMemoriesBodyKind | Unset = UNSET,
        source: str | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        as_of: str | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        explain: bool | Unset = UNSET,
        rerank: bool | Unset = UNSET,
        min_relevance: float | Unset = UNSET,
        keep_best: int | Unset = UNSET,
        record: bool | SearchMemoriesBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
        max_tokens: int | Unset = UNSET,
    ) -> MemorySearchAnswer:
        """Search memories.

        Finds memories by meaning and by keywords, best first, each with its full content and the chunk that
        matched. Memories that hold come first: those that have ended, or not begun, follow all others. Filters
        apply before ranking. Keyword search finds a memory as soon as it is stored, semantic search once its
        vectors are stored, within seconds.

        Needs the scope `search`.

        Args:
            query: A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In
                `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode,
                messages and memories that contain a quoted phrase rank higher. In a query of several lines,
                quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases
                (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in
                `keyword` mode it is rejected with 400.
            exclude: Words or phrases that no match has. They count in every mode and in any form of the words.
                At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
            mode: `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
            limit: Maximum number of results.
            agent_id: Only memories of this agent.
            user_id: Only memories of this user. Shared ones match, too; others without a user do not.
            visibility: Which conversations and memories are searched: those that are not shared (`own`), the
                shared ones (`shared`), or both. Default: both.
            kind: Only memories of this kind.
            source: Only memories from this source.
            tags_any: Only memories with at least one of these tags.
            tags_all: Only memories with all of these tags.
            metadata: Only memories whose `metadata` has all of these keys with these values at its top level.
                At most 16 keys.
            created_after: Only memories captured at or after this time.
            created_before: Only memories captured before this time.
            as_of: Only what was stored at a moment of the past: a time, or a message as the id of its
                conversation, `:` and its sequence number. Matches are found and ranked by what is stored and
                indexed today. What was changed since has `edited_since`.
            valid_at: Time at which memories should hold. Memories that do not hold then, because they have
                ended or not begun, rank below all other results. Default: now.
            explain: Whether to return the components of each match's score, as `explanation`. Default `false`.
            rerank: Whether to order the 50 best matches again with a model that reads query and text together.
                More accurate but slower, usually by a few hundred milliseconds. Default `false`.
            min_relevance: Lowest `relevance`, 0 to 1. Results below it are left out and counted in
                `below_min_relevance`. Default: 0, which leaves out none.
            keep_best: Number of best results that are kept although their `relevance` is below `min_relevance`:
                in a small store, an answer in other words than the question has a low relevance. A result with
                the relevance 0 is never kept. At most 10. Default 0.
            record: Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and
                hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata`
                for it. Default `false`.
            max_tokens: Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and
                memories are chosen one by one: the best matches up to half of the limit, then the best match of
                each other result up to 70 %, then the nearest neighbors of these, then further matches. At
                first, a match has at most 300 tokens: a longer one is cut to the part with the most matching
                words, a memory to the chunk that matches. What is left makes cut matches longer, the best one
                first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no
                limit.
        """
        return self._http.call(
            _search_memories.request(
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
        )


class AsyncMemoriesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        kind: ListMemoriesKind | Unset = UNSET,
        source: str | Unset = UNSET,
        visibility: Sequence[ListMemoriesVisibilityItem] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        exact_owner: bool | Unset = UNSET,
        source_conversation_id: str | Unset = UNSET,
        source_message_id: str | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        occurred_after: str | Unset = UNSET,
        occurred_before: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        sort: ListMemoriesSort | Unset = UNSET,
        order: ListMemoriesOrder | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> AsyncList[Memory, MemoryPage]:
        """List memories.

        Returns a page of memories with their full content, most recently captured first unless `sort` and
        `order` say otherwise. All filters must match. A page may hold fewer items than `limit`: it ends before
        its JSON exceeds 2 MB, or before its metadata and parts together exceed 50,000 object fields and array
        items. A single item above these limits is returned on a page of its own. A page may even be empty
        without being the last: to find matching items, one request reads at most 4,000 items with a filter by
        tags or metadata, or 50,000 otherwise. Continue until `next_cursor` is null. A memory that is captured
        or changed between two of your requests for pages may be skipped or repeated. All others are returned
        exactly once.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            include_total: Whether to return `total`, the number of matching items on all pages. Default
                `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by
                tags or metadata, or more than 50,000 with another filter.
            agent_id: Only memories of this agent.
            user_id: Only memories of this user. Memories without a user do not match.
            kind: Only memories of this kind.
            source: Only memories from this source.
            visibility: Only memories that are not shared (`own`), or only shared ones (`shared`). Default: all
                that the key can read.
            external_id: Only memories with this `external_id`.
            exact_owner: Whether an `agent_id` or `user_id` that you leave out means none, or that of the key,
                instead of any. Default `false`. With `external_id`, the list then has the one item that
                creating it would find, or none.
            source_conversation_id: Only memories that cite a message of this conversation, also one that is
                deleted.
            source_message_id: Only memories that cite this message, also if it is deleted.
            tags_any: Only memories with at least one of these tags.
            tags_all: Only memories with all of these tags.
            created_after: Only memories captured at or after this time.
            created_before: Only memories captured before this time.
            valid_at: Only memories that hold at this time: from `valid_from` until before `valid_until`, where
                a missing one sets no bound.
            occurred_after: Only memories with an `occurred_at` at or after this time.
            occurred_before: Only memories with an `occurred_at` before this time.
            sort: Field to sort by.
            order: Sort order.
            as_of: Answer as of a moment of the past: the memories that were stored by then, each in the version
                of then, and filtered by it. A time, or a message as the id of its conversation, `:` and its
                sequence number. What was deleted since stays deleted, and the sources are those of today.
        """

        async def fetch(cursor: str | None) -> MemoryPage:
            return await self._http.call(
                _list_memories.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    include_total=include_total,
                    agent_id=agent_id,
                    user_id=user_id,
                    kind=kind,
                    source=source,
                    visibility=visibility,
                    external_id=external_id,
                    exact_owner=exact_owner,
                    source_conversation_id=source_conversation_id,
                    source_message_id=source_message_id,
                    tags_any=tags_any,
                    tags_all=tags_all,
                    created_after=created_after,
                    created_before=created_before,
                    valid_at=valid_at,
                    occurred_after=occurred_after,
                    occurred_before=occurred_before,
                    metadata=metadata,
                    sort=sort,
                    order=order,
                    as_of=as_of,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def put(
        self,
        *,
        content: str,
        external_id: str,
        parts: Any | Unset = UNSET,
        sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
        kind: MemoryKind | Unset = UNSET,
        source: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        shared: bool | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        summary: str | None | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        valid_from: str | None | Unset = UNSET,
        valid_until: str | None | Unset = UNSET,
        occurred_at: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        supersedes: str | None | Unset = UNSET,
        created_at: str | Unset = UNSET,
        wait: Literal["indexed"] | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> Memory:
        """Create or replace a memory.

        Stores a memory under your own id. If the agent and user have a memory with this `external_id`, all its
        fields are replaced; one that you leave out gets its default. Its `id`, its `superseded_by` and, unless
        you send them, its `created_at` and `supersedes` stay. The memory as it was before is kept as an earlier
        version. Sending the same request again changes nothing but `updated_at`, so it needs no idempotency
        key. The path names no memory, because your id is unique only together with the agent and the user in
        the body. With `If-Match`, nothing is stored if there is no such memory, or it has a newer version than
        that `ETag`.

        Needs the scope `write`.

        Args:
            content: Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as
                UTF-8. It may be empty only if `parts` is given.
            external_id: Your own id for the memory, unique among the memories of its agent and user. Any other
                memory may have the same content.
            parts: The memory as your framework represents it: any JSON array or object, returned exactly as it
                was sent. At most 500,000 bytes as JSON. Not searched.
            sources: Messages that the memory was derived from. At most 32. The key must be able to read each
                message. A memory of a user can cite messages of that user and of no user; a memory without a
                user, only messages of no user. Otherwise the request fails with 400, `errors` names the source,
                and nothing is stored.
            kind: `note`: something to remember. `summary`: a summary of content from elsewhere, such as a
                conversation.
            source: Your own name for the source of the memory.
            agent_id: Your own id for the agent that the memory belongs to. A key bound to an agent sets that
                agent, and rejects any other with 403.
            user_id: Your own id for the user that the memory belongs to. A key bound to a user sets that user,
                and rejects any other with 403.
            shared: `true`: every user of the organization can read it beside their own; it then has no
                `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.
            tags: Labels to filter by, returned in the order in which you sent them. At most 64.
            summary: Short summary of the content. At most 1,000 characters.
            valid_from: Time from which the memory holds, such as the day of a move. Null: it held at all times
                before `valid_until`.
            valid_until: Time from which the memory no longer holds. It is then an ended memory: search ranks it
                below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its
                `valid_from` holds at no time.
            occurred_at: Time of the event that the memory is about. It does not affect search.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
            supersedes: Id of a memory of the same agent and user that this one replaces. It ends in the same
                transaction, at `valid_from` (then by default now) unless it has ended before, and names this
                one in `superseded_by`. Without such a memory, the request fails with 404, and if the new
                content is stored already, with 409. Nothing is stored then.
            created_at: Time when the memory was captured, with millisecond precision. Set it for a memory from
                the past. Default: now.
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the memory,
                but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once
                if the service runs on a single machine. A bulk capture waits for at most 25 of its memories.
                `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
        """
        return await self._http.call(
            _put_memory.request(
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
                if_match=if_match,
            )
        )

    async def create(
        self,
        *,
        content: str,
        parts: Any | Unset = UNSET,
        sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
        kind: MemoryKind | Unset = UNSET,
        source: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        shared: bool | None | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        summary: str | None | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        valid_from: str | None | Unset = UNSET,
        valid_until: str | None | Unset = UNSET,
        occurred_at: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        supersedes: str | None | Unset = UNSET,
        created_at: str | Unset = UNSET,
        check_conflicts: bool | Unset = UNSET,
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CapturedMemory:
        """Capture a memory.

        Stores a memory verbatim. If the agent and user have a memory with exactly this content, that one is
        returned with 200: its `updated_at` is set to now, and nothing else of it changes. If the service has a
        text model, the model writes the tags and the summary that you do not give, soon after the response. It
        never replaces yours. Keyword search finds the memory at once, semantic search within seconds.

        Needs the scope `write`.

        Args:
            content: Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as
                UTF-8. It may be empty only if `parts` is given.
            parts: The memory as your framework represents it: any JSON array or object, returned exactly as it
                was sent. At most 500,000 bytes as JSON. Not searched.
            sources: Messages that the memory was derived from. At most 32. The key must be able to read each
                message. A memory of a user can cite messages of that user and of no user; a memory without a
                user, only messages of no user. Otherwise the request fails with 400, `errors` names the source,
                and nothing is stored.
            kind: `note`: something to remember. `summary`: a summary of content from elsewhere, such as a
                conversation.
            source: Your own name for the source of the memory.
            agent_id: Your own id for the agent that the memory belongs to. A key bound to an agent sets that
                agent, and rejects any other with 403.
            user_id: Your own id for the user that the memory belongs to. A key bound to a user sets that user,
                and rejects any other with 403.
            shared: `true`: every user of the organization can read it beside their own; it then has no
                `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.
            external_id: Your own id for the memory, unique among the memories of its agent and user. Its
                content may occur in other memories. If it is stored already with this content, that memory is
                returned; with other content, the request fails with 409. `putMemory` replaces it.
            tags: Labels to filter by, returned in the order in which you sent them. At most 64.
            summary: Short summary of the content. At most 1,000 characters.
            valid_from: Time from which the memory holds, such as the day of a move. Null: it held at all times
                before `valid_until`.
            valid_until: Time from which the memory no longer holds. It is then an ended memory: search ranks it
                below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its
                `valid_from` holds at no time.
            occurred_at: Time of the event that the memory is about. It does not affect search.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
            supersedes: Id of a memory of the same agent and user that this one replaces. It ends in the same
                transaction, at `valid_from` (then by default now) unless it has ended before, and names this
                one in `superseded_by`. Without such a memory, the request fails with 404, and if the new
                content is stored already, with 409. Nothing is stored then.
            created_at: Time when the memory was captured, with millisecond precision. Set it for a memory from
                the past. Default: now.
            check_conflicts: Whether to return `possible_conflicts`. Then the request also reads other memories
                of the agent and user. Default `false`.
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the memory,
                but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once
                if the service runs on a single machine. A bulk capture waits for at most 25 of its memories.
                `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
        """
        return await self._http.call(
            _create_memory.request(
                content=content,
                parts=parts,
                sources=sources,
                kind=kind,
                source=source,
                agent_id=agent_id,
                user_id=user_id,
                shared=shared,
                external_id=external_id,
                tags=tags,
                summary=summary,
                metadata=metadata,
                valid_from=valid_from,
                valid_until=valid_until,
                occurred_at=occurred_at,
                expires_at=expires_at,
                supersedes=supersedes,
                created_at=created_at,
                check_conflicts=check_conflicts,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )

    async def create_many(
        self,
        *,
        memories: Sequence[NewMemory | Mapping[str, Any]],
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CapturedMemories:
        """Capture memories in bulk.

        Stores up to 1,000 memories, all or none, each in the same way as a single capture. Only those that were
        deleted with `forget` are skipped, and their items say so. Content that occurs several times in the
        request is stored once. One bulk capture holds at most 2,097,152 bytes (content as UTF-8, everything
        else as JSON); a larger one fails with 413 and stores nothing.

        Needs the scope `write`.

        Args:
            memories: Memories to store: 1 to 1,000, and in total at most 2,097,152 bytes (content as UTF-8,
                everything else as JSON).
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the memory,
                but for at most 25 seconds. Semantic search finds the memory some seconds after that, or at once
                if the service runs on a single machine. A bulk capture waits for at most 25 of its memories.
                `getMemory` shows whether each chunk is indexed. Default: respond without waiting.
        """
        return await self._http.call(
            _create_memories.request(
                memories=memories,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        memory_id: str,
        *,
        as_of: str | Unset = UNSET,
    ) -> MemoryWithChunks:
        """Get a memory with its chunks.

        Returns a memory with its full content, and the chunks by which semantic search finds it.

        Needs the scope `read`.

        Args:
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """
        return await self._http.call(
            _get_memory.request(
                memory_id=memory_id,
                as_of=as_of,
            )
        )

    async def delete(
        self,
        memory_id: str,
        *,
        forget: bool | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> DeleteMemoryOperation:
        """Delete a memory.

        Deletes a memory. It is excluded from every response at once. Its database row, earlier versions,
        keyword index entries and vectors are then removed for good, in the background. A deletion cannot be
        undone. The same content can be captured again, as a new memory. With `forget`, neither the content nor
        the external id is stored again for the agent and the user, nor the memory by an import:
        `listTombstones` says how.

        Needs the scope `delete`.

        Args:
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return await self._http.call(
            _delete_memory.request(
                memory_id=memory_id,
                forget=forget,
                if_match=if_match,
            )
        )

    async def update(
        self,
        memory_id: str,
        *,
        content: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        shared: bool | Unset = UNSET,
        sources: Sequence[NewSource | Mapping[str, Any]] | Unset = UNSET,
        source: str | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        summary: str | None | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        valid_from: str | None | Unset = UNSET,
        valid_until: str | None | Unset = UNSET,
        occurred_at: str | None | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> Memory:
        """Update a memory.

        Changes the given fields; omitted fields stay unchanged. The memory as it was before is kept as an
        earlier version, which `listMemoryVersions` returns. New content removes the tags and the summary that a
        text model wrote for the old content, and sets `enriched_by` to null. With `If-Match`, nothing is
        changed if the memory has a newer version than that `ETag`. If the agent and user have another memory
        with the content, the request fails with 409. If the memory would get content or a user that was deleted
        with `forget`, too.

        Needs the scope `write`.

        Args:
            content: New content, which is chunked and embedded again. At least one character.
            user_id: User of a memory that has none. A memory of another user stays as it is: the request fails
                with 409.
            shared: Whether every user of the organization can read the memory. Only a key that is bound to no
                user can share; any other gets 403. A memory with a user cannot be shared: the request fails
                with 409.
            sources: Messages that the memory was derived from, which replace all of the old. At most 32. The
                key must be able to read each message. A memory of a user can cite messages of that user and of
                no user; a memory without a user, only messages of no user. Otherwise the request fails with
                400, `errors` names the source, and nothing is stored.
            source: Your own name for the source of the memory.
            tags: New tags, which replace all of the old.
            summary: Short summary of the content. At most 1,000 characters.
            metadata: New metadata, which replaces all of the old.
            valid_from: Time from which the memory holds, such as the day of a move. Null: it held at all times
                before `valid_until`.
            valid_until: Time from which the memory no longer holds. It is then an ended memory: search ranks it
                below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its
                `valid_from` holds at no time.
            occurred_at: Time of the event that the memory is about. It does not affect search.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
        """
        return await self._http.call(
            _update_memory.request(
                memory_id=memory_id,
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
                if_match=if_match,
            )
        )

    def list_versions(
        self,
        memory_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[MemoryVersion, MemoryVersionPage]:
        """List the versions of a memory.

        Returns a page of the versions of a memory, newest first. The first one is the memory as it is now.
        Every change keeps the version before it: an update, a replacement by `putMemory`, tags or a summary by
        a text model, and the end of a memory that another one supersedes. A request that changes nothing keeps
        none. Whoever can read the memory can read all its versions. They are removed with the memory. A page
        may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB, or before its metadata and
        parts together exceed 50,000 object fields and array items. A single item above these limits is returned
        on a page of its own.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> MemoryVersionPage:
            return await self._http.call(
                _list_memory_versions.request(
                    memory_id=memory_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def delete_many(
        self,
        *,
        filter: DeleteMemoriesBodyFilter | Mapping[str, Any] | Unset = UNSET,
        all: bool | Unset = UNSET,
        dry_run: bool | Unset = UNSET,
        forget: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> MemoriesCounted | DeleteMemoriesOperation:
        """Delete memories by filter, or all.

        Deletes every memory that matches the filter, or with `all` every memory that the key can change. A
        deleted memory is excluded from every response. Up to 1,000 memories are deleted before the request
        returns. The others follow in the background, oldest first, in steps of up to 1,000. One step reads at
        most 4,000 memories with a filter by tags or metadata, or 50,000 otherwise. Memories captured after the
        request are not deleted. Rows, keyword index entries and vectors are removed for good afterwards.
        `cancelOperation` stops the steps that have not begun; it cannot restore memories that are already
        deleted.

        Needs the scope `delete`.

        Args:
            filter: Memories to delete. All conditions must match; at least one is required.
            all: Instead of a filter: delete every memory that the key can change.
            dry_run: `true`: delete nothing, and return the number of memories that would be deleted.
                Recommended before every deletion. Default `false`.
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return await self._http.call(
            _delete_memories.request(
                filter=filter,
                all=all,
                dry_run=dry_run,
                forget=forget,
                idempotency_key=idempotency_key,
            )
        )

    async def enrich(
        self,
        *,
        filter: EnrichMemoriesBodyFilter | Mapping[str, Any] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> EnrichMemoriesOperation:
        """Enrich memories with tags and summaries.

        Has the text model of the service write the tags and summaries that memories lack. Tags and summaries
        that you gave never change. Those that an earlier text model wrote are replaced; those of the current
        one are kept. If the service has no text model, the request fails with 503. The work has two passes. In
        the first, the model suggests tags for each memory, and nothing is stored. In the second, it writes tags
        and summaries. It can choose from the 50 most frequent tags of the first pass, so that memories about
        one topic get the same tag. Memories go through both passes in groups of 5,000, or 4,000 with a filter
        by tags or metadata, oldest first. `progress` does not count memories that are queued for enrichment
        already: those captured or changed shortly before, and those of another `enrichMemories` operation.

        Needs the scope `write`.

        Args:
            filter: Memories to enrich. All conditions must match. Default: all that the key can change.
        """
        return await self._http.call(
            _enrich_memories.request(
                filter=filter,
                idempotency_key=idempotency_key,
            )
        )

    async def search(
        self,
        *,
        query: str,
        exclude: Sequence[str] | Unset = UNSET,
        mode: SearchMemoriesBodyMode | Unset = UNSET,
        limit: int | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[SearchMemoriesBodyVisibilityItem] | Unset = UNSET,
        kind: SearchMemoriesBodyKind | Unset = UNSET,
        source: str | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        as_of: str | Unset = UNSET,
        valid_at: str | Unset = UNSET,
        explain: bool | Unset = UNSET,
        rerank: bool | Unset = UNSET,
        min_relevance: float | Unset = UNSET,
        keep_best: int | Unset = UNSET,
        record: bool | SearchMemoriesBodyRecordType1 | Mapping[str, Any] | Unset = UNSET,
        max_tokens: int | Unset = UNSET,
    ) -> MemorySearchAnswer:
        """Search memories.

        Finds memories by meaning and by keywords, best first, each with its full content and the chunk that
        matched. Memories that hold come first: those that have ended, or not begun, follow all others. Filters
        apply before ranking. Keyword search finds a memory as soon as it is stored, semantic search once its
        vectors are stored, within seconds.

        Needs the scope `search`.

        Args:
            query: A question, words or code. A hyphen excludes nothing, so `rm -rf dist` finds the command. In
                `keyword` mode, every match contains each `"quoted phrase"` of the query. In `hybrid` mode,
                messages and memories that contain a quoted phrase rank higher. In a query of several lines,
                quotes have no meaning. Limits: 48 distinct words (of more, the longest are used), 16 phrases
                (of more, the first are used), 32 words per phrase. A longer phrase counts as plain words; in
                `keyword` mode it is rejected with 400.
            exclude: Words or phrases that no match has. They count in every mode and in any form of the words.
                At most 16, of 32 words each. A phrase needs no quotes. Messages near a match may contain them.
            mode: `semantic` searches by meaning, `keyword` by keywords, `hybrid` by both.
            limit: Maximum number of results.
            agent_id: Only memories of this agent.
            user_id: Only memories of this user. Shared ones match, too; others without a user do not.
            visibility: Which conversations and memories are searched: those that are not shared (`own`), the
                shared ones (`shared`), or both. Default: both.
            kind: Only memories of this kind.
            source: Only memories from this source.
            tags_any: Only memories with at least one of these tags.
            tags_all: Only memories with all of these tags.
            metadata: Only memories whose `metadata` has all of these keys with these values at its top level.
                At most 16 keys.
            created_after: Only memories captured at or after this time.
            created_before: Only memories captured before this time.
            as_of: Only what was stored at a moment of the past: a time, or a message as the id of its
                conversation, `:` and its sequence number. Matches are found and ranked by what is stored and
                indexed today. What was changed since has `edited_since`.
            valid_at: Time at which memories should hold. Memories that do not hold then, because they have
                ended or not begun, rank below all other results. Default: now.
            explain: Whether to return the components of each match's score, as `explanation`. Default `false`.
            rerank: Whether to order the 50 best matches again with a model that reads query and text together.
                More accurate but slower, usually by a few hundred milliseconds. Default `false`.
            min_relevance: Lowest `relevance`, 0 to 1. Results below it are left out and counted in
                `below_min_relevance`. Default: 0, which leaves out none.
            keep_best: Number of best results that are kept although their `relevance` is below `min_relevance`:
                in a small store, an answer in other words than the question has a low relevance. A result with
                the relevance 0 is never kept. At most 10. Default 0.
            record: Whether to keep a receipt of the answer, which `getRecall` returns: the query, and ids and
                hashes of the items, but no content. `true`, or an object with your own `run_id` and `metadata`
                for it. Default `false`.
            max_tokens: Maximum tokens of the results. Only their content counts, as in `tokens`. Messages and
                memories are chosen one by one: the best matches up to half of the limit, then the best match of
                each other result up to 70 %, then the nearest neighbors of these, then further matches. At
                first, a match has at most 300 tokens: a longer one is cut to the part with the most matching
                words, a memory to the chunk that matches. What is left makes cut matches longer, the best one
                first. A result is left out, and counted in `omitted`, if none of its messages fits. Default: no
                limit.
        """
        return await self._http.call(
            _search_memories.request(
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
        )
