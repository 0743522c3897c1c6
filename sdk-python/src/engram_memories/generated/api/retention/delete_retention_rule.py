# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.retention_rule import RetentionRule


def request(
    rule_id: str,
) -> Request[RetentionRule]:
    return Request(
        "DELETE",
        path_of(
            "/v1/retention/{rule_id}",
            rule_id=rule_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> RetentionRule:
    response_200 = RetentionRule.from_dict(body)

    return response_200
