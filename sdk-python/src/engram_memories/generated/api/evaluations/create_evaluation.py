# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.create_evaluation_body_request import CreateEvaluationBodyRequest
from ...models.evaluation import Evaluation
from ...types import UNSET, Unset


def request(
    *,
    request: CreateEvaluationBodyRequest | Mapping[str, Any] | Unset = UNSET,
    from_recall: str | Unset = UNSET,
    expected: Sequence[str] | Unset = UNSET,
    depth: int | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[Evaluation]:
    return Request(
        "POST",
        path_of(
            "/v1/evaluations",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            request=request,
            from_recall=from_recall,
            expected=expected,
            depth=depth,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Evaluation:
    response_201 = Evaluation.from_dict(body)

    return response_201
