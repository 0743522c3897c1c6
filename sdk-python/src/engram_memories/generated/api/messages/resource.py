# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.appended_messages import AppendedMessages
from ...models.delete_message_operation import DeleteMessageOperation
from ...models.message import Message
from ...models.message_page import MessagePage
from ...models.new_message import NewMessage
from ...models.replaced_messages import ReplacedMessages
from ...types import UNSET, Unset
from . import append_messages as _append_messages
from . import delete_message as _delete_message
from . import get_message as _get_message
from . import list_messages as _list_messages
from . import replace_messages as _replace_messages
from . import update_message as _update_message


class MessagesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        conversation_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        from_sequence: int | Unset = UNSET,
        to_sequence: int | Unset = UNSET,
        newest: int | Unset = UNSET,
        wait_seconds: int | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> List[Message, MessagePage]:
        """List messages of a conversation.

        Returns a page of messages, oldest first. Select a range of sequence numbers (`from_sequence`,
        `to_sequence`) or the newest messages (`newest`). Default: all messages. With `wait_seconds`, a request
        without messages waits for one. A page may hold fewer items than `limit`: it ends before its JSON
        exceeds 2 MB, or before its metadata and parts together exceed 50,000 object fields and array items. A
        single item above these limits is returned on a page of its own.

        Needs the scope `read`.

        Args:
            limit: Maximum number of messages per page; a page may hold fewer. Default 100.
            from_sequence: Return only messages with this sequence number or a higher one.
            to_sequence: Return only messages with this sequence number or a lower one.
            newest: Return only this number of the newest messages, still oldest first. If they do not fit on
                one page, `next_cursor` leads to the earlier ones.
            wait_seconds: Seconds to wait for a message if there is none yet, at most 20. A new message is
                returned at once, usually within milliseconds. Default 0.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """

        def fetch(cursor: str | None) -> MessagePage:
            return self._http.call(
                _list_messages.request(
                    conversation_id=conversation_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                    from_sequence=from_sequence,
                    to_sequence=to_sequence,
                    newest=newest,
                    wait_seconds=wait_seconds,
                    as_of=as_of,
                )
            )

        return List(fetch, cursor or None)

    def append(
        self,
        conversation_id: str,
        *,
        messages: Sequence[NewMessage | Mapping[str, Any]],
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> AppendedMessages:
        """Append messages to a conversation.

        Adds messages to the end of the conversation, all or none, with consecutive sequence numbers. They are
        stored durably when the request returns. Keyword search finds them at once, semantic search after a
        short pause in the conversation. One append holds at most 2,097,152 bytes (content as UTF-8, everything
        else as JSON); a larger one fails with 413 and stores nothing.

        Needs the scope `write`.

        Args:
            messages: Messages to add, oldest first; 1 to 1,000.
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the messages,
                but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at
                once if the service runs on a single machine. Default: respond without waiting.
        """
        return self._http.call(
            _append_messages.request(
                conversation_id=conversation_id,
                messages=messages,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        conversation_id: str,
        message_id: str,
        *,
        as_of: str | Unset = UNSET,
    ) -> Message:
        """Get a message.

        Returns one message, byte for byte as it was stored.

        Needs the scope `read`.

        Args:
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """
        return self._http.call(
            _get_message.request(
                conversation_id=conversation_id,
                message_id=message_id,
                as_of=as_of,
            )
        )

    def delete(
        self,
        conversation_id: str,
        message_id: str,
        *,
        forget: bool | Unset = UNSET,
    ) -> DeleteMessageOperation:
        """Delete a message.

        Deletes a message and its entries in the keyword index at once. Each vector that was computed from its
        text, together with that of neighboring messages, is deleted in the background. Its sequence number is
        never reused. A deletion cannot be undone. With `forget`, an append with its external id to this
        conversation fails with 409, and no import stores it again: `listTombstones` says how. Another message
        may have the same words.

        Needs the scope `delete`.

        Args:
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return self._http.call(
            _delete_message.request(
                conversation_id=conversation_id,
                message_id=message_id,
                forget=forget,
            )
        )

    def update(
        self,
        conversation_id: str,
        message_id: str,
        *,
        content: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
    ) -> Message:
        """Update a message.

        Changes content or metadata; omitted fields stay unchanged. Keyword search finds the message by its new
        text, and no longer by the old one, at once. Semantic search follows within seconds.

        Needs the scope `write`.

        Args:
            content: Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
            metadata: New metadata, which replaces all of the old.
        """
        return self._http.call(
            _update_message.request(
                conversation_id=conversation_id,
                message_id=message_id,
                content=content,
                metadata=metadata,
            )
        )

    def replace(
        self,
        conversation_id: str,
        *,
        expected_last_sequence: int,
        from_sequence: int,
        messages: Sequence[NewMessage | Mapping[str, Any]],
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ReplacedMessages:
        """Replace the last messages of a conversation.

        Deletes all messages from `from_sequence` on and adds the given messages in their place, all or none. If
        the newest message does not have the sequence number `expected_last_sequence`, the request fails with
        409 and changes nothing. With an empty `messages`, the request only deletes.

        Needs the scope `write` and `delete`.

        Args:
            expected_last_sequence: Sequence number of the newest message that you have read; 0 if you have read
                none. If it is not the newest in the conversation, the request fails with 409 and changes
                nothing.
            from_sequence: Sequence number of the first message to delete. All messages from there on are
                deleted, at most 10,000.
            messages: Messages to add in place of the deleted ones, with new sequence numbers. An empty list
                only deletes. At most 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything
                else as JSON).
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the messages,
                but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at
                once if the service runs on a single machine. Default: respond without waiting.
        """
        return self._http.call(
            _replace_messages.request(
                conversation_id=conversation_id,
                expected_last_sequence=expected_last_sequence,
                from_sequence=from_sequence,
                messages=messages,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )


class AsyncMessagesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        conversation_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        from_sequence: int | Unset = UNSET,
        to_sequence: int | Unset = UNSET,
        newest: int | Unset = UNSET,
        wait_seconds: int | Unset = UNSET,
        as_of: str | Unset = UNSET,
    ) -> AsyncList[Message, MessagePage]:
        """List messages of a conversation.

        Returns a page of messages, oldest first. Select a range of sequence numbers (`from_sequence`,
        `to_sequence`) or the newest messages (`newest`). Default: all messages. With `wait_seconds`, a request
        without messages waits for one. A page may hold fewer items than `limit`: it ends before its JSON
        exceeds 2 MB, or before its metadata and parts together exceed 50,000 object fields and array items. A
        single item above these limits is returned on a page of its own.

        Needs the scope `read`.

        Args:
            limit: Maximum number of messages per page; a page may hold fewer. Default 100.
            from_sequence: Return only messages with this sequence number or a higher one.
            to_sequence: Return only messages with this sequence number or a lower one.
            newest: Return only this number of the newest messages, still oldest first. If they do not fit on
                one page, `next_cursor` leads to the earlier ones.
            wait_seconds: Seconds to wait for a message if there is none yet, at most 20. A new message is
                returned at once, usually within milliseconds. Default 0.
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """

        async def fetch(cursor: str | None) -> MessagePage:
            return await self._http.call(
                _list_messages.request(
                    conversation_id=conversation_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                    from_sequence=from_sequence,
                    to_sequence=to_sequence,
                    newest=newest,
                    wait_seconds=wait_seconds,
                    as_of=as_of,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def append(
        self,
        conversation_id: str,
        *,
        messages: Sequence[NewMessage | Mapping[str, Any]],
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> AppendedMessages:
        """Append messages to a conversation.

        Adds messages to the end of the conversation, all or none, with consecutive sequence numbers. They are
        stored durably when the request returns. Keyword search finds them at once, semantic search after a
        short pause in the conversation. One append holds at most 2,097,152 bytes (content as UTF-8, everything
        else as JSON); a larger one fails with 413 and stores nothing.

        Needs the scope `write`.

        Args:
            messages: Messages to add, oldest first; 1 to 1,000.
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the messages,
                but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at
                once if the service runs on a single machine. Default: respond without waiting.
        """
        return await self._http.call(
            _append_messages.request(
                conversation_id=conversation_id,
                messages=messages,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        conversation_id: str,
        message_id: str,
        *,
        as_of: str | Unset = UNSET,
    ) -> Message:
        """Get a message.

        Returns one message, byte for byte as it was stored.

        Needs the scope `read`.

        Args:
            as_of: Answer as of a moment of the past, with what was stored by then: a time, or a message as the
                id of its conversation, `:` and its sequence number, for the moment at which this message was
                stored. What was deleted since stays deleted. What was changed since is returned as it is today,
                and has `edited_since`.
        """
        return await self._http.call(
            _get_message.request(
                conversation_id=conversation_id,
                message_id=message_id,
                as_of=as_of,
            )
        )

    async def delete(
        self,
        conversation_id: str,
        message_id: str,
        *,
        forget: bool | Unset = UNSET,
    ) -> DeleteMessageOperation:
        """Delete a message.

        Deletes a message and its entries in the keyword index at once. Each vector that was computed from its
        text, together with that of neighboring messages, is deleted in the background. Its sequence number is
        never reused. A deletion cannot be undone. With `forget`, an append with its external id to this
        conversation fails with 409, and no import stores it again: `listTombstones` says how. Another message
        may have the same words.

        Needs the scope `delete`.

        Args:
            forget: `true`: what is deleted is not stored again, by whatever way it comes: captures, appends,
                forks, imports. A tombstone of hashes refuses it until you delete the tombstone. Default
                `false`.
        """
        return await self._http.call(
            _delete_message.request(
                conversation_id=conversation_id,
                message_id=message_id,
                forget=forget,
            )
        )

    async def update(
        self,
        conversation_id: str,
        message_id: str,
        *,
        content: str | Unset = UNSET,
        metadata: Any | Unset = UNSET,
    ) -> Message:
        """Update a message.

        Changes content or metadata; omitted fields stay unchanged. Keyword search finds the message by its new
        text, and no longer by the old one, at once. Semantic search follows within seconds.

        Needs the scope `write`.

        Args:
            content: Text of the message, stored byte for byte: at most 1,000,000 bytes as UTF-8; may be empty.
            metadata: New metadata, which replaces all of the old.
        """
        return await self._http.call(
            _update_message.request(
                conversation_id=conversation_id,
                message_id=message_id,
                content=content,
                metadata=metadata,
            )
        )

    async def replace(
        self,
        conversation_id: str,
        *,
        expected_last_sequence: int,
        from_sequence: int,
        messages: Sequence[NewMessage | Mapping[str, Any]],
        wait: Literal["indexed"] | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> ReplacedMessages:
        """Replace the last messages of a conversation.

        Deletes all messages from `from_sequence` on and adds the given messages in their place, all or none. If
        the newest message does not have the sequence number `expected_last_sequence`, the request fails with
        409 and changes nothing. With an empty `messages`, the request only deletes.

        Needs the scope `write` and `delete`.

        Args:
            expected_last_sequence: Sequence number of the newest message that you have read; 0 if you have read
                none. If it is not the newest in the conversation, the request fails with 409 and changes
                nothing.
            from_sequence: Sequence number of the first message to delete. All messages from there on are
                deleted, at most 10,000.
            messages: Messages to add in place of the deleted ones, with new sequence numbers. An empty list
                only deletes. At most 1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything
                else as JSON).
            wait: `indexed`: delay the response until the vector store has accepted the vectors of the messages,
                but for at most 25 seconds. Semantic search finds the messages some seconds after that, or at
                once if the service runs on a single machine. Default: respond without waiting.
        """
        return await self._http.call(
            _replace_messages.request(
                conversation_id=conversation_id,
                expected_last_sequence=expected_last_sequence,
                from_sequence=from_sequence,
                messages=messages,
                wait=wait,
                idempotency_key=idempotency_key,
            )
        )
