# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.

from ...._http import AsyncHttp, Http
from ...models.index_status import IndexStatus
from ...models.repair_index_operation import RepairIndexOperation
from ...types import UNSET, Unset
from . import get_index_status as _get_index_status
from . import repair_index as _repair_index


class IndexResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def status(
        self,
        *,
        conversation_id: str | Unset = UNSET,
    ) -> IndexStatus:
        """Get the status of the search index.

        Returns how many messages and memories of the organization, or messages of one conversation, are indexed
        for semantic search, wait to be indexed, or failed. For a single memory, get its chunks with
        `getMemory`.

        Needs the scope `read`.

        Args:
            conversation_id: Count only messages of this conversation. Default: all messages and memories.
        """
        return self._http.call(
            _get_index_status.request(
                conversation_id=conversation_id,
            )
        )

    def repair(
        self,
        *,
        conversation_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> RepairIndexOperation:
        """Repair the search index.

        Indexes every conversation and memory, or one conversation, again from the stored content: keyword
        index, chunks and vectors. Content whose indexing failed too often before is tried again. If a repair of
        the same conversations and memories is running, that repair is returned, unless the model has already
        rejected every text that is left of it. Searches work during the repair, and stored content is not
        changed. The service queues conversations and memories in steps of 1,000, the first step before the
        response. `cancelOperation` stops the work that has not begun.

        Needs the scope `write`.

        Args:
            conversation_id: Repair only this conversation. Default: all conversations and memories.
        """
        return self._http.call(
            _repair_index.request(
                conversation_id=conversation_id,
                idempotency_key=idempotency_key,
            )
        )


class AsyncIndexResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def status(
        self,
        *,
        conversation_id: str | Unset = UNSET,
    ) -> IndexStatus:
        """Get the status of the search index.

        Returns how many messages and memories of the organization, or messages of one conversation, are indexed
        for semantic search, wait to be indexed, or failed. For a single memory, get its chunks with
        `getMemory`.

        Needs the scope `read`.

        Args:
            conversation_id: Count only messages of this conversation. Default: all messages and memories.
        """
        return await self._http.call(
            _get_index_status.request(
                conversation_id=conversation_id,
            )
        )

    async def repair(
        self,
        *,
        conversation_id: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> RepairIndexOperation:
        """Repair the search index.

        Indexes every conversation and memory, or one conversation, again from the stored content: keyword
        index, chunks and vectors. Content whose indexing failed too often before is tried again. If a repair of
        the same conversations and memories is running, that repair is returned, unless the model has already
        rejected every text that is left of it. Searches work during the repair, and stored content is not
        changed. The service queues conversations and memories in steps of 1,000, the first step before the
        response. `cancelOperation` stops the work that has not begun.

        Needs the scope `write`.

        Args:
            conversation_id: Repair only this conversation. Default: all conversations and memories.
        """
        return await self._http.call(
            _repair_index.request(
                conversation_id=conversation_id,
                idempotency_key=idempotency_key,
            )
        )
