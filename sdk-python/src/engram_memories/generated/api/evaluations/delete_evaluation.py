# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.evaluation import Evaluation


def request(
    evaluation_id: str,
) -> Request[Evaluation]:
    return Request(
        "DELETE",
        path_of(
            "/v1/evaluations/{evaluation_id}",
            evaluation_id=evaluation_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Evaluation:
    response_200 = Evaluation.from_dict(body)

    return response_200
