# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.create_retention_rule_body_by import CreateRetentionRuleBodyBy
from ...models.create_retention_rule_body_filter import CreateRetentionRuleBodyFilter
from ...models.create_retention_rule_body_kind import CreateRetentionRuleBodyKind
from ...models.retention_rule import RetentionRule
from ...types import UNSET, Unset


def request(
    *,
    name: str,
    kind: CreateRetentionRuleBodyKind,
    older_than_days: int,
    by: CreateRetentionRuleBodyBy | Unset = UNSET,
    filter: CreateRetentionRuleBodyFilter | Mapping[str, Any] | Unset = UNSET,
    dry_run: bool | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[RetentionRule]:
    return Request(
        "POST",
        path_of(
            "/v1/retention",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            name=name,
            kind=kind,
            older_than_days=older_than_days,
            by=by,
            filter=filter,
            dry_run=dry_run,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> RetentionRule:
    response_201 = RetentionRule.from_dict(body)

    return response_201
