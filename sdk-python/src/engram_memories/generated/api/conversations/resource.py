# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.broadcast_result import BroadcastResult
from ...models.conversation import Conversation
from ...models.conversation_page import ConversationPage
from ...models.conversation_with_messages import ConversationWithMessages
from ...models.conversations_counted import ConversationsCounted
from ...models.delete_conversation_operation import DeleteConversationOperation
from ...models.delete_conversations_body_filter import DeleteConversationsBodyFilter
from ...models.delete_conversations_operation import DeleteConversationsOperation
from ...models.list_conversations_order import ListConversationsOrder
from ...models.list_conversations_sort import ListConversationsSort
from ...models.list_conversations_visibility_item import (
    ListConversationsVisibilityItem,
)
from ...models.listed_conversation import ListedConversation
from ...models.presence import Presence
from ...models.presence_list import PresenceList
from ...types import UNSET, Unset
from . import broadcast as _broadcast
from . import create_conversation as _create_conversation
from . import delete_conversation as _delete_conversation
from . import delete_conversations as _delete_conversations
from . import fork_conversation as _fork_conversation
from . import get_conversation as _get_conversation
from . import list_conversations as _list_conversations
from . import list_presences as _list_presences
from . import set_presence as _set_presence
from . import update_conversation as _update_conversation


class ConversationsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        include_last_message: bool | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[ListConversationsVisibilityItem] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        message_id: str | Unset = UNSET,
        exact_owner: bool | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        sort: ListConversationsSort | Unset = UNSET,
        order: ListConversationsOrder | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> List[ListedConversation, ConversationPage]:
        """List conversations.

        Returns a page of conversations, most recently changed first unless `sort` and `order` say otherwise.
        All filters must match. A page may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB,
        or before its metadata and parts together exceed 50,000 object fields and array items. A single item
        above these limits is returned on a page of its own. A page may even be empty without being the last: to
        find matching items, one request reads at most 4,000 items with a filter by tags or metadata, or 50,000
        otherwise. Continue until `next_cursor` is null. A conversation that is created or updated between two
        of your requests for pages may be skipped or repeated. All others are returned exactly once.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            include_total: Whether to return `total`, the number of matching items on all pages. Default
                `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by
                tags or metadata, or more than 50,000 with another filter.
            include_last_message: Whether to return `last_message`, with the start of its content. Default
                `false`.
            agent_id: Only conversations of this agent.
            user_id: Only conversations with this user. Shared ones do not match.
            visibility: Only conversations that are not shared (`own`), or only shared ones (`shared`). Default:
                all that the key can read.
            external_id: Only conversations with this external id.
            message_id: Only the conversation that contains this message.
            exact_owner: Whether an `agent_id` or `user_id` that you leave out means none, or that of the key,
                instead of any. Default `false`. With `external_id`, the list then has the one item that
                creating it would find, or none.
            tags_any: Only conversations with at least one of these tags.
            tags_all: Only conversations with all of these tags.
            created_after: Only conversations created at or after this time.
            created_before: Only conversations created before this time.
            sort: Field to sort by. By `last_message_at`, a conversation without messages has the place of its
                `created_at`. Default `updated_at`. With `as_of`: `created_at`, and no other.
            order: Sort order.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """

        def fetch(cursor: str | None) -> ConversationPage:
            return self._http.call(
                _list_conversations.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    include_total=include_total,
                    include_last_message=include_last_message,
                    agent_id=agent_id,
                    user_id=user_id,
                    visibility=visibility,
                    external_id=external_id,
                    message_id=message_id,
                    exact_owner=exact_owner,
                    tags_any=tags_any,
                    tags_all=tags_all,
                    created_after=created_after,
                    created_before=created_before,
                    metadata=metadata,
                    sort=sort,
                    order=order,
                    as_of=as_of,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        external_id: str | None | Unset = UNSET,
        title: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        shared: bool | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Conversation:
        """Create a conversation.

        Creates an empty conversation. If the agent and the user have a conversation with this `external_id`,
        returns that one with 200, unchanged. Those of other agents and users are separate, even with the same
        `external_id`.

        Needs the scope `write`.

        Args:
            external_id: Your own id for the conversation. If its agent and user have one with this external id,
                that one is returned with 200, unchanged.
            title: Title of the conversation. At most 1,000 characters.
            agent_id: Your own id for the agent that the conversation belongs to. A key bound to an agent sets
                that agent, and rejects any other with 403.
            user_id: Your own id for the user that the conversation or memory belongs to.
            shared: `true`: every user of the organization can read it beside their own; it then has no
                `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.
            tags: Labels to filter by, returned in the order in which you sent them. At most 64.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
        """
        return self._http.call(
            _create_conversation.request(
                external_id=external_id,
                title=title,
                agent_id=agent_id,
                user_id=user_id,
                shared=shared,
                tags=tags,
                metadata=metadata,
                expires_at=expires_at,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        conversation_id: str,
        *,
        message_limit: int | Unset = UNSET,
        from_sequence: int | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> ConversationWithMessages:
        """Get a conversation with its messages.

        Returns a conversation with its first messages, oldest first. To read on, pass `next_cursor` of
        `messages` to `listMessages` as `cursor`, with the same `as_of`.

        Needs the scope `read`.

        Args:
            message_limit: Maximum number of messages to return; 0 for none. Default 100. Fewer are returned if
                their JSON would exceed 2 MB.
            from_sequence: Sequence number of the first message to return.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """
        return self._http.call(
            _get_conversation.request(
                conversation_id=conversation_id,
                message_limit=message_limit,
                from_sequence=from_sequence,
                as_of=as_of,
            )
        )

    def delete(
        self,
        conversation_id: str,
        *,
        forget: bool | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> DeleteConversationOperation:
        """Delete a conversation.

        Deletes a conversation with all its messages. They are excluded from every response at once. Their
        database rows, keyword index entries and vectors are then removed for good, in the background. A
        deletion cannot be undone. With `forget`, neither the conversation nor its messages are imported again,
        and its external id is not used again for the agent and the user: `listTombstones` says how. Forks are
        conversations of their own and stay.

        Needs the scope `delete`.

        Args:
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return self._http.call(
            _delete_conversation.request(
                conversation_id=conversation_id,
                forget=forget,
                if_match=if_match,
            )
        )

    def update(
        self,
        conversation_id: str,
        *,
        title: str | None | Unset = UNSET,
        shared: bool | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> Conversation:
        """Update a conversation.

        Changes title, tags, metadata, `shared` or `expires_at`; omitted fields stay unchanged. With `If-Match`,
        nothing is changed if the conversation has a newer version than that `ETag`.

        Needs the scope `write`.

        Args:
            title: Title of the conversation. At most 1,000 characters.
            shared: Whether every user of the organization can read the conversation. Only a key that is bound
                to no user can share; any other gets 403. A conversation with a user cannot be shared: the
                request fails with 409.
            tags: New tags, which replace all of the old.
            metadata: New metadata, which replaces all of the old.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
        """
        return self._http.call(
            _update_conversation.request(
                conversation_id=conversation_id,
                title=title,
                shared=shared,
                tags=tags,
                metadata=metadata,
                expires_at=expires_at,
                if_match=if_match,
            )
        )

    def delete_many(
        self,
        *,
        filter: DeleteConversationsBodyFilter | Mapping[str, Any],
        dry_run: bool | Unset = UNSET,
        forget: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ConversationsCounted | DeleteConversationsOperation:
        """Delete conversations by filter.

        Deletes every conversation that matches the filter, with all its messages. A deleted conversation is
        excluded from every response. Up to 1,000 conversations are deleted before the request returns. The
        others follow in the background, oldest first, in steps of up to 1,000. One step reads at most 4,000
        conversations with a filter by tags or metadata, or 50,000 otherwise. Conversations created after the
        request are not deleted. Rows, keyword index entries and vectors are removed for good afterwards.
        `cancelOperation` stops the steps that have not begun; it cannot restore conversations that are already
        deleted.

        Needs the scope `delete`.

        Args:
            filter: Conversations to delete. All conditions must match; at least one is required.
            dry_run: `true`: delete nothing, and return the number of items that would be deleted. Recommended
                before every deletion. Default `false`.
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return self._http.call(
            _delete_conversations.request(
                filter=filter,
                dry_run=dry_run,
                forget=forget,
                idempotency_key=idempotency_key,
            )
        )

    def fork(
        self,
        conversation_id: str,
        *,
        sequence: int | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        title: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Conversation:
        """Fork a conversation.

        Copies a conversation: its agent, user, tags and metadata, whether it is shared, and its messages up to
        a sequence number. The copied messages keep their sequence numbers and get new ids. The fork does not
        expire, even if the original does. Later changes to one of the two conversations do not affect the
        other. All messages are copied, or none. At most 10,000 messages can be copied; with more, the request
        fails with 409. Their content, parts, metadata, names and ids may have 2,097,152 bytes in total; with
        more, it fails with 413.

        Needs the scope `write`.

        Args:
            sequence: Sequence number of the last message to copy; 0 for no messages. Default: all messages.
            external_id: Your own id for the fork. No other conversation of its agent and user may have it.
            title: Title of the fork. Default: the title of the original.
        """
        return self._http.call(
            _fork_conversation.request(
                conversation_id=conversation_id,
                sequence=sequence,
                external_id=external_id,
                title=title,
                idempotency_key=idempotency_key,
            )
        )

    def broadcast(
        self,
        conversation_id: str,
        *,
        value: Any,
    ) -> BroadcastResult:
        """Send a value to the listeners of a conversation.

        Sends a small JSON object to the sockets that are subscribed to the conversation by
        `filter.conversation_id`, and to the streams of its events, for example that a user is typing. It is not
        stored: a client that subscribes later does not get it, and one that reads too slowly may miss it.
        Append a message instead if it must not be lost.

        Needs the scope `write`.
        """
        return self._http.call(
            _broadcast.request(
                conversation_id=conversation_id,
                value=value,
            )
        )

    def list_presences(
        self,
        conversation_id: str,
    ) -> PresenceList:
        """List who is present in a conversation.

        Returns the sockets and keys that are present in a conversation now. Presence is a hint and is not
        stored durably: it may be lost, and clients then set it again.

        Needs the scope `read`.
        """
        return self._http.call(
            _list_presences.request(
                conversation_id=conversation_id,
            )
        )

    def set_presence(
        self,
        conversation_id: str,
        *,
        state: Any,
        ttl_seconds: int | Unset = UNSET,
    ) -> Presence:
        """Set the presence of the key in a conversation.

        Makes the key present in a conversation for `ttl_seconds`, for an agent without a socket. Set it again
        before it ends; `ttl_seconds: 1` ends it soon. A key has one presence in a conversation, and each call
        replaces its `state`. The presence also ends with the key.

        Needs the scope `read`.

        Args:
            ttl_seconds: Number of seconds after which the presence ends unless it is set again, at most 60.
                Default 60.
        """
        return self._http.call(
            _set_presence.request(
                conversation_id=conversation_id,
                state=state,
                ttl_seconds=ttl_seconds,
            )
        )


class AsyncConversationsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        include_total: bool | Unset = UNSET,
        include_last_message: bool | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        user_id: str | Unset = UNSET,
        visibility: Sequence[ListConversationsVisibilityItem] | Unset = UNSET,
        external_id: str | Unset = UNSET,
        message_id: str | Unset = UNSET,
        exact_owner: bool | Unset = UNSET,
        tags_any: Sequence[str] | Unset = UNSET,
        tags_all: Sequence[str] | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        sort: ListConversationsSort | Unset = UNSET,
        order: ListConversationsOrder | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> AsyncList[ListedConversation, ConversationPage]:
        """List conversations.

        Returns a page of conversations, most recently changed first unless `sort` and `order` say otherwise.
        All filters must match. A page may hold fewer items than `limit`: it ends before its JSON exceeds 2 MB,
        or before its metadata and parts together exceed 50,000 object fields and array items. A single item
        above these limits is returned on a page of its own. A page may even be empty without being the last: to
        find matching items, one request reads at most 4,000 items with a filter by tags or metadata, or 50,000
        otherwise. Continue until `next_cursor` is null. A conversation that is created or updated between two
        of your requests for pages may be skipped or repeated. All others are returned exactly once.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            include_total: Whether to return `total`, the number of matching items on all pages. Default
                `false`. `total` is null if counting would read too many items: more than 4,000 with a filter by
                tags or metadata, or more than 50,000 with another filter.
            include_last_message: Whether to return `last_message`, with the start of its content. Default
                `false`.
            agent_id: Only conversations of this agent.
            user_id: Only conversations with this user. Shared ones do not match.
            visibility: Only conversations that are not shared (`own`), or only shared ones (`shared`). Default:
                all that the key can read.
            external_id: Only conversations with this external id.
            message_id: Only the conversation that contains this message.
            exact_owner: Whether an `agent_id` or `user_id` that you leave out means none, or that of the key,
                instead of any. Default `false`. With `external_id`, the list then has the one item that
                creating it would find, or none.
            tags_any: Only conversations with at least one of these tags.
            tags_all: Only conversations with all of these tags.
            created_after: Only conversations created at or after this time.
            created_before: Only conversations created before this time.
            sort: Field to sort by. By `last_message_at`, a conversation without messages has the place of its
                `created_at`. Default `updated_at`. With `as_of`: `created_at`, and no other.
            order: Sort order.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """

        async def fetch(cursor: str | None) -> ConversationPage:
            return await self._http.call(
                _list_conversations.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                    include_total=include_total,
                    include_last_message=include_last_message,
                    agent_id=agent_id,
                    user_id=user_id,
                    visibility=visibility,
                    external_id=external_id,
                    message_id=message_id,
                    exact_owner=exact_owner,
                    tags_any=tags_any,
                    tags_all=tags_all,
                    created_after=created_after,
                    created_before=created_before,
                    metadata=metadata,
                    sort=sort,
                    order=order,
                    as_of=as_of,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        external_id: str | None | Unset = UNSET,
        title: str | None | Unset = UNSET,
        agent_id: str | None | Unset = UNSET,
        user_id: str | None | Unset = UNSET,
        shared: bool | None | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Conversation:
        """Create a conversation.

        Creates an empty conversation. If the agent and the user have a conversation with this `external_id`,
        returns that one with 200, unchanged. Those of other agents and users are separate, even with the same
        `external_id`.

        Needs the scope `write`.

        Args:
            external_id: Your own id for the conversation. If its agent and user have one with this external id,
                that one is returned with 200, unchanged.
            title: Title of the conversation. At most 1,000 characters.
            agent_id: Your own id for the agent that the conversation belongs to. A key bound to an agent sets
                that agent, and rejects any other with 403.
            user_id: Your own id for the user that the conversation or memory belongs to.
            shared: `true`: every user of the organization can read it beside their own; it then has no
                `user_id`. Only a key that is bound to no user can share; any other gets 403. Default `false`.
            tags: Labels to filter by, returned in the order in which you sent them. At most 64.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
        """
        return await self._http.call(
            _create_conversation.request(
                external_id=external_id,
                title=title,
                agent_id=agent_id,
                user_id=user_id,
                shared=shared,
                tags=tags,
                metadata=metadata,
                expires_at=expires_at,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        conversation_id: str,
        *,
        message_limit: int | Unset = UNSET,
        from_sequence: int | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> ConversationWithMessages:
        """Get a conversation with its messages.

        Returns a conversation with its first messages, oldest first. To read on, pass `next_cursor` of
        `messages` to `listMessages` as `cursor`, with the same `as_of`.

        Needs the scope `read`.

        Args:
            message_limit: Maximum number of messages to return; 0 for none. Default 100. Fewer are returned if
                their JSON would exceed 2 MB.
            from_sequence: Sequence number of the first message to return.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """
        return await self._http.call(
            _get_conversation.request(
                conversation_id=conversation_id,
                message_limit=message_limit,
                from_sequence=from_sequence,
                as_of=as_of,
            )
        )

    async def delete(
        self,
        conversation_id: str,
        *,
        forget: bool | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> DeleteConversationOperation:
        """Delete a conversation.

        Deletes a conversation with all its messages. They are excluded from every response at once. Their
        database rows, keyword index entries and vectors are then removed for good, in the background. A
        deletion cannot be undone. With `forget`, neither the conversation nor its messages are imported again,
        and its external id is not used again for the agent and the user: `listTombstones` says how. Forks are
        conversations of their own and stay.

        Needs the scope `delete`.

        Args:
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return await self._http.call(
            _delete_conversation.request(
                conversation_id=conversation_id,
                forget=forget,
                if_match=if_match,
            )
        )

    async def update(
        self,
        conversation_id: str,
        *,
        title: str | None | Unset = UNSET,
        shared: bool | Unset = UNSET,
        tags: Sequence[str] | Unset = UNSET,
        metadata: Any | Unset = UNSET,
        expires_at: str | None | Unset = UNSET,
        if_match: str | Unset = UNSET,
    ) -> Conversation:
        """Update a conversation.

        Changes title, tags, metadata, `shared` or `expires_at`; omitted fields stay unchanged. With `If-Match`,
        nothing is changed if the conversation has a newer version than that `ETag`.

        Needs the scope `write`.

        Args:
            title: Title of the conversation. At most 1,000 characters.
            shared: Whether every user of the organization can read the conversation. Only a key that is bound
                to no user can share; any other gets 403. A conversation with a user cannot be shared: the
                request fails with 409.
            tags: New tags, which replace all of the old.
            metadata: New metadata, which replaces all of the old.
            expires_at: Time from which the item is deleted. The service usually deletes it within a few
                minutes; when much is due in many organizations, they take turns. It is an ordinary deletion,
                whose operation reports when the item is gone; until it begins, the item is not hidden. Null: it
                does not expire.
        """
        return await self._http.call(
            _update_conversation.request(
                conversation_id=conversation_id,
                title=title,
                shared=shared,
                tags=tags,
                metadata=metadata,
                expires_at=expires_at,
                if_match=if_match,
            )
        )

    async def delete_many(
        self,
        *,
        filter: DeleteConversationsBodyFilter | Mapping[str, Any],
        dry_run: bool | Unset = UNSET,
        forget: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ConversationsCounted | DeleteConversationsOperation:
        """Delete conversations by filter.

        Deletes every conversation that matches the filter, with all its messages. A deleted conversation is
        excluded from every response. Up to 1,000 conversations are deleted before the request returns. The
        others follow in the background, oldest first, in steps of up to 1,000. One step reads at most 4,000
        conversations with a filter by tags or metadata, or 50,000 otherwise. Conversations created after the
        request are not deleted. Rows, keyword index entries and vectors are removed for good afterwards.
        `cancelOperation` stops the steps that have not begun; it cannot restore conversations that are already
        deleted.

        Needs the scope `delete`.

        Args:
            filter: Conversations to delete. All conditions must match; at least one is required.
            dry_run: `true`: delete nothing, and return the number of items that would be deleted. Recommended
                before every deletion. Default `false`.
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return await self._http.call(
            _delete_conversations.request(
                filter=filter,
                dry_run=dry_run,
                forget=forget,
                idempotency_key=idempotency_key,
            )
        )

    async def fork(
        self,
        conversation_id: str,
        *,
        sequence: int | Unset = UNSET,
        external_id: str | None | Unset = UNSET,
        title: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Conversation:
        """Fork a conversation.

        Copies a conversation: its agent, user, tags and metadata, whether it is shared, and its messages up to
        a sequence number. The copied messages keep their sequence numbers and get new ids. The fork does not
        expire, even if the original does. Later changes to one of the two conversations do not affect the
        other. All messages are copied, or none. At most 10,000 messages can be copied; with more, the request
        fails with 409. Their content, parts, metadata, names and ids may have 2,097,152 bytes in total; with
        more, it fails with 413.

        Needs the scope `write`.

        Args:
            sequence: Sequence number of the last message to copy; 0 for no messages. Default: all messages.
            external_id: Your own id for the fork. No other conversation of its agent and user may have it.
            title: Title of the fork. Default: the title of the original.
        """
        return await self._http.call(
            _fork_conversation.request(
                conversation_id=conversation_id,
                sequence=sequence,
                external_id=external_id,
                title=title,
                idempotency_key=idempotency_key,
            )
        )

    async def broadcast(
        self,
        conversation_id: str,
        *,
        value: Any,
    ) -> BroadcastResult:
        """Send a value to the listeners of a conversation.

        Sends a small JSON object to the sockets that are subscribed to the conversation by
        `filter.conversation_id`, and to the streams of its events, for example that a user is typing. It is not
        stored: a client that subscribes later does not get it, and one that reads too slowly may miss it.
        Append a message instead if it must not be lost.

        Needs the scope `write`.
        """
        return await self._http.call(
            _broadcast.request(
                conversation_id=conversation_id,
                value=value,
            )
        )

    async def list_presences(
        self,
        conversation_id: str,
    ) -> PresenceList:
        """List who is present in a conversation.

        Returns the sockets and keys that are present in a conversation now. Presence is a hint and is not
        stored durably: it may be lost, and clients then set it again.

        Needs the scope `read`.
        """
        return await self._http.call(
            _list_presences.request(
                conversation_id=conversation_id,
            )
        )

    async def set_presence(
        self,
        conversation_id: str,
        *,
        state: Any,
        ttl_seconds: int | Unset = UNSET,
    ) -> Presence:
        """Set the presence of the key in a conversation.

        Makes the key present in a conversation for `ttl_seconds`, for an agent without a socket. Set it again
        before it ends; `ttl_seconds: 1` ends it soon. A key has one presence in a conversation, and each call
        replaces its `state`. The presence also ends with the key.

        Needs the scope `read`.

        Args:
            ttl_seconds: Number of seconds after which the presence ends unless it is set again, at most 60.
                Default 60.
        """
        return await self._http.call(
            _set_presence.request(
                conversation_id=conversation_id,
                state=state,
                ttl_seconds=ttl_seconds,
            )
        )
