# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.recall import Recall
from ...models.recall_page import RecallPage
from ...models.replay import Replay
from ...types import UNSET, Unset
from . import get_recall as _get_recall
from . import list_recalls as _list_recalls
from . import replay_recall as _replay_recall
from . import update_recall as _update_recall


class RecallsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        user_id: str | Unset = UNSET,
        run_id: str | Unset = UNSET,
        item_id: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Recall, RecallPage]:
        """List receipts of recall.

        Returns a page of receipts of recall, newest first. All filters must match. Receipts are kept for 30
        days. A key that is bound to an agent or a user gets only those of keys with the same binding. A page
        may hold fewer receipts than `limit`, or none, without being the last: it ends before its JSON exceeds 2
        MB, and one request reads at most 10,000 receipts to find matching ones. Continue until `next_cursor` is
        null.

        Needs the scope `search`.

        Args:
            user_id: Only receipts of this user.
            run_id: Only receipts of this run.
            item_id: Only receipts of answers that had this message or memory, also one that is deleted.
            conversation_id: Only receipts of answers that had a message of this conversation, also one that is
                deleted.
            created_after: Only receipts recorded at or after this time.
            created_before: Only receipts recorded before this time.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> RecallPage:
            return self._http.call(
                _list_recalls.request(
                    user_id=user_id,
                    run_id=run_id,
                    item_id=item_id,
                    conversation_id=conversation_id,
                    created_after=created_after,
                    created_before=created_before,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def get(
        self,
        recall_id: str,
    ) -> Recall:
        """Get a receipt of recall.

        Returns what a search or a context with `record` answered: the request, every item with its version and
        a keyed hash of its content, scores, what was left out, the models and the rules. Receipts are kept for
        30 days. A key that is bound to an agent or a user gets only those of keys with the same binding.

        Needs the scope `search`.
        """
        return self._http.call(
            _get_recall.request(
                recall_id=recall_id,
            )
        )

    def update(
        self,
        recall_id: str,
        *,
        used: Sequence[str] | Unset = UNSET,
        outcome: str | None | Unset = UNSET,
    ) -> Recall:
        """Note what came of an answer.

        Notes which items of an answer were used, and what came of it. Fields that you leave out stay unchanged.
        An id that the receipt does not have fails with 400. Nothing else of a receipt can be changed.

        Needs the scope `search`.

        Args:
            used: Ids of the items of the receipt that were used. They replace those noted before.
            outcome: What came of the answer, in your own words.
        """
        return self._http.call(
            _update_recall.request(
                recall_id=recall_id,
                used=used,
                outcome=outcome,
            )
        )

    def replay(
        self,
        recall_id: str,
    ) -> Replay:
        """Replay a recall.

        Sends the recorded request again, with the same binding to an agent and a user, and answers that the
        answer is the same, or each difference with its cause. Memories are those that held when it was
        recorded. Nothing is recorded. It counts as a search.

        Needs the scope `search`.
        """
        return self._http.call(
            _replay_recall.request(
                recall_id=recall_id,
            )
        )


class AsyncRecallsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        user_id: str | Unset = UNSET,
        run_id: str | Unset = UNSET,
        item_id: str | Unset = UNSET,
        conversation_id: str | Unset = UNSET,
        created_after: str | Unset = UNSET,
        created_before: str | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Recall, RecallPage]:
        """List receipts of recall.

        Returns a page of receipts of recall, newest first. All filters must match. Receipts are kept for 30
        days. A key that is bound to an agent or a user gets only those of keys with the same binding. A page
        may hold fewer receipts than `limit`, or none, without being the last: it ends before its JSON exceeds 2
        MB, and one request reads at most 10,000 receipts to find matching ones. Continue until `next_cursor` is
        null.

        Needs the scope `search`.

        Args:
            user_id: Only receipts of this user.
            run_id: Only receipts of this run.
            item_id: Only receipts of answers that had this message or memory, also one that is deleted.
            conversation_id: Only receipts of answers that had a message of this conversation, also one that is
                deleted.
            created_after: Only receipts recorded at or after this time.
            created_before: Only receipts recorded before this time.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> RecallPage:
            return await self._http.call(
                _list_recalls.request(
                    user_id=user_id,
                    run_id=run_id,
                    item_id=item_id,
                    conversation_id=conversation_id,
                    created_after=created_after,
                    created_before=created_before,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def get(
        self,
        recall_id: str,
    ) -> Recall:
        """Get a receipt of recall.

        Returns what a search or a context with `record` answered: the request, every item with its version and
        a keyed hash of its content, scores, what was left out, the models and the rules. Receipts are kept for
        30 days. A key that is bound to an agent or a user gets only those of keys with the same binding.

        Needs the scope `search`.
        """
        return await self._http.call(
            _get_recall.request(
                recall_id=recall_id,
            )
        )

    async def update(
        self,
        recall_id: str,
        *,
        used: Sequence[str] | Unset = UNSET,
        outcome: str | None | Unset = UNSET,
    ) -> Recall:
        """Note what came of an answer.

        Notes which items of an answer were used, and what came of it. Fields that you leave out stay unchanged.
        An id that the receipt does not have fails with 400. Nothing else of a receipt can be changed.

        Needs the scope `search`.

        Args:
            used: Ids of the items of the receipt that were used. They replace those noted before.
            outcome: What came of the answer, in your own words.
        """
        return await self._http.call(
            _update_recall.request(
                recall_id=recall_id,
                used=used,
                outcome=outcome,
            )
        )

    async def replay(
        self,
        recall_id: str,
    ) -> Replay:
        """Replay a recall.

        Sends the recorded request again, with the same binding to an agent and a user, and answers that the
        answer is the same, or each difference with its cause. Memories are those that held when it was
        recorded. Nothing is recorded. It counts as a search.

        Needs the scope `search`.
        """
        return await self._http.call(
            _replay_recall.request(
                recall_id=recall_id,
            )
        )
