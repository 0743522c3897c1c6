# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.preview_retention_rule_body_by import PreviewRetentionRuleBodyBy
from ...models.preview_retention_rule_body_filter import PreviewRetentionRuleBodyFilter
from ...models.preview_retention_rule_body_kind import PreviewRetentionRuleBodyKind
from ...models.retention_preview import RetentionPreview
from ...types import UNSET, Unset


def request(
    *,
    kind: PreviewRetentionRuleBodyKind,
    older_than_days: int,
    by: PreviewRetentionRuleBodyBy | Unset = UNSET,
    filter: PreviewRetentionRuleBodyFilter | Mapping[str, Any] | Unset = UNSET,
) -> Request[RetentionPreview]:
    return Request(
        "POST",
        path_of(
            "/v1/retention/preview",
        ),
        parse,
        content=body_of(
            kind=kind,
            older_than_days=older_than_days,
            by=by,
            filter=filter,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> RetentionPreview:
    response_200 = RetentionPreview.from_dict(body)

    return response_200
