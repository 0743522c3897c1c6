# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.retention_rule_list import RetentionRuleList


def request() -> Request[RetentionRuleList]:
    return Request(
        "GET",
        path_of(
            "/v1/retention",
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> RetentionRuleList:
    response_200 = RetentionRuleList.from_dict(body)

    return response_200
