# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.retention_rule import RetentionRule
from ...types import UNSET, Unset


def request(
    rule_id: str,
    *,
    name: str | Unset = UNSET,
    older_than_days: int | Unset = UNSET,
    dry_run: bool | Unset = UNSET,
) -> Request[RetentionRule]:
    return Request(
        "PATCH",
        path_of(
            "/v1/retention/{rule_id}",
            rule_id=rule_id,
        ),
        parse,
        content=body_of(
            name=name,
            older_than_days=older_than_days,
            dry_run=dry_run,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> RetentionRule:
    response_200 = RetentionRule.from_dict(body)

    return response_200
