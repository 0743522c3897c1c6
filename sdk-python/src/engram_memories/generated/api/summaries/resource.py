# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.


from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.queued_summaries import QueuedSummaries
from ...models.summary import Summary
from ...models.summary_page import SummaryPage
from ...types import UNSET, Unset
from . import create_summaries as _create_summaries
from . import list_summaries as _list_summaries


class SummariesResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        conversation_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        level: int | Unset = UNSET,
        from_sequence: int | Unset = UNSET,
        to_sequence: int | Unset = UNSET,
    ) -> List[Summary, SummaryPage]:
        """List summaries of a conversation.

        Returns a page of summaries, by level and then in the order of the messages. The service makes them in
        the background: of each 24 sequence numbers once they are full, earlier if their messages have more than
        3,000 tokens, and of the end of a conversation when nothing was stored for ten minutes and at least
        eight messages have no summary. Without a text model, the sentences are verbatim sentences of the
        messages. Summaries are those of today's messages: there is no `as_of`, and exports leave them out. With
        a filter, a page may hold fewer items than `limit`, or none, without being the last: one request reads
        at most 50,000 items to find matching ones. Continue until `next_cursor` is null.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            level: Only summaries of this level.
            from_sequence: Only summaries that cover a message with this sequence number or a higher one.
            to_sequence: Only summaries that cover a message with this sequence number or a lower one.
        """

        def fetch(cursor: str | None) -> SummaryPage:
            return self._http.call(
                _list_summaries.request(
                    conversation_id=conversation_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                    level=level,
                    from_sequence=from_sequence,
                    to_sequence=to_sequence,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        conversation_id: str,
    ) -> QueuedSummaries:
        """Summarize a conversation now.

        Queues the summaries that a conversation lacks, up to its last message, also if the conversation does
        not rest. They are made after the response, usually within seconds; each sends the event
        `summary.created`. Summaries by earlier rules or another text model are made again. Sending the request
        again has no further effect while they are queued.

        Needs the scope `write`.
        """
        return self._http.call(
            _create_summaries.request(
                conversation_id=conversation_id,
            )
        )


class AsyncSummariesResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        conversation_id: str,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
        level: int | Unset = UNSET,
        from_sequence: int | Unset = UNSET,
        to_sequence: int | Unset = UNSET,
    ) -> AsyncList[Summary, SummaryPage]:
        """List summaries of a conversation.

        Returns a page of summaries, by level and then in the order of the messages. The service makes them in
        the background: of each 24 sequence numbers once they are full, earlier if their messages have more than
        3,000 tokens, and of the end of a conversation when nothing was stored for ten minutes and at least
        eight messages have no summary. Without a text model, the sentences are verbatim sentences of the
        messages. Summaries are those of today's messages: there is no `as_of`, and exports leave them out. With
        a filter, a page may hold fewer items than `limit`, or none, without being the last: one request reads
        at most 50,000 items to find matching ones. Continue until `next_cursor` is null.

        Needs the scope `read`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
            level: Only summaries of this level.
            from_sequence: Only summaries that cover a message with this sequence number or a higher one.
            to_sequence: Only summaries that cover a message with this sequence number or a lower one.
        """

        async def fetch(cursor: str | None) -> SummaryPage:
            return await self._http.call(
                _list_summaries.request(
                    conversation_id=conversation_id,
                    limit=limit,
                    cursor=cursor or UNSET,
                    level=level,
                    from_sequence=from_sequence,
                    to_sequence=to_sequence,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        conversation_id: str,
    ) -> QueuedSummaries:
        """Summarize a conversation now.

        Queues the summaries that a conversation lacks, up to its last message, also if the conversation does
        not rest. They are made after the response, usually within seconds; each sends the event
        `summary.created`. Summaries by earlier rules or another text model are made again. Sending the request
        again has no further effect while they are queued.

        Needs the scope `write`.
        """
        return await self._http.call(
            _create_summaries.request(
                conversation_id=conversation_id,
            )
        )
