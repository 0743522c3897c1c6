# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.create_evaluation_body_request import CreateEvaluationBodyRequest
from ...models.evaluation import Evaluation
from ...models.evaluation_page import EvaluationPage
from ...models.evaluation_result import EvaluationResult
from ...types import UNSET, Unset
from . import create_evaluation as _create_evaluation
from . import delete_evaluation as _delete_evaluation
from . import list_evaluations as _list_evaluations
from . import run_evaluation as _run_evaluation


class EvaluationsResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Evaluation, EvaluationPage]:
        """List evaluations.

        Returns a page of evaluations with their last runs, newest first. A key that is bound to an agent or a
        user gets only those of keys with the same binding.

        Needs the scope `search`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> EvaluationPage:
            return self._http.call(
                _list_evaluations.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def create(
        self,
        *,
        request: CreateEvaluationBodyRequest | Mapping[str, Any] | Unset = UNSET,
        from_recall: str | Unset = UNSET,
        expected: Sequence[str] | Unset = UNSET,
        depth: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Evaluation:
        """Create an evaluation.

        Keeps a search with the items that it should find, made from a request or from a receipt of recall. The
        query is stored. An organization has at most 1,000. Nothing runs before `runEvaluation`.

        Needs the scope `search`.

        Args:
            from_recall: Receipt of a search whose request is taken, in place of `request`. A receipt of a
                context cannot be used.
            expected: Ids of the messages and memories that the search should find. Default with `from_recall`:
                the items that its receipt notes as `used`.
            depth: Number of results that count: the k of any@k and nDCG.
        """
        return self._http.call(
            _create_evaluation.request(
                request=request,
                from_recall=from_recall,
                expected=expected,
                depth=depth,
                idempotency_key=idempotency_key,
            )
        )

    def run(
        self,
        evaluation_id: str,
    ) -> EvaluationResult:
        """Run an evaluation.

        Searches, finds the ranks of the expected items, and compares them with the last run, which this one
        replaces. Nothing runs by itself: after a change of the embedding model, or of what is stored, run the
        evaluations again. It counts as a search.

        Needs the scope `search`.
        """
        return self._http.call(
            _run_evaluation.request(
                evaluation_id=evaluation_id,
            )
        )

    def delete(
        self,
        evaluation_id: str,
    ) -> Evaluation:
        """Delete an evaluation.

        Deletes an evaluation with its query and its last run.

        Needs the scope `search`.
        """
        return self._http.call(
            _delete_evaluation.request(
                evaluation_id=evaluation_id,
            )
        )


class AsyncEvaluationsResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    def list(
        self,
        *,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Evaluation, EvaluationPage]:
        """List evaluations.

        Returns a page of evaluations with their last runs, newest first. A key that is bound to an agent or a
        user gets only those of keys with the same binding.

        Needs the scope `search`.

        Args:
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> EvaluationPage:
            return await self._http.call(
                _list_evaluations.request(
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def create(
        self,
        *,
        request: CreateEvaluationBodyRequest | Mapping[str, Any] | Unset = UNSET,
        from_recall: str | Unset = UNSET,
        expected: Sequence[str] | Unset = UNSET,
        depth: int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Evaluation:
        """Create an evaluation.

        Keeps a search with the items that it should find, made from a request or from a receipt of recall. The
        query is stored. An organization has at most 1,000. Nothing runs before `runEvaluation`.

        Needs the scope `search`.

        Args:
            from_recall: Receipt of a search whose request is taken, in place of `request`. A receipt of a
                context cannot be used.
            expected: Ids of the messages and memories that the search should find. Default with `from_recall`:
                the items that its receipt notes as `used`.
            depth: Number of results that count: the k of any@k and nDCG.
        """
        return await self._http.call(
            _create_evaluation.request(
                request=request,
                from_recall=from_recall,
                expected=expected,
                depth=depth,
                idempotency_key=idempotency_key,
            )
        )

    async def run(
        self,
        evaluation_id: str,
    ) -> EvaluationResult:
        """Run an evaluation.

        Searches, finds the ranks of the expected items, and compares them with the last run, which this one
        replaces. Nothing runs by itself: after a change of the embedding model, or of what is stored, run the
        evaluations again. It counts as a search.

        Needs the scope `search`.
        """
        return await self._http.call(
            _run_evaluation.request(
                evaluation_id=evaluation_id,
            )
        )

    async def delete(
        self,
        evaluation_id: str,
    ) -> Evaluation:
        """Delete an evaluation.

        Deletes an evaluation with its query and its last run.

        Needs the scope `search`.
        """
        return await self._http.call(
            _delete_evaluation.request(
                evaluation_id=evaluation_id,
            )
        )
