# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.evaluation_result import EvaluationResult


def request(
    evaluation_id: str,
) -> Request[EvaluationResult]:
    return Request(
        "POST",
        path_of(
            "/v1/evaluations/{evaluation_id}/run",
            evaluation_id=evaluation_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> EvaluationResult:
    response_200 = EvaluationResult.from_dict(body)

    return response_200
