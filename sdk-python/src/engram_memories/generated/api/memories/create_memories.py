# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ...._request import Request, body_of, idempotent, path_of
from ...models.captured_memories import CapturedMemories
from ...models.new_memory import NewMemory
from ...types import UNSET, Unset


def request(
    *,
    memories: Sequence[NewMemory | Mapping[str, Any]],
    wait: Literal["indexed"] | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[CapturedMemories]:
    return Request(
        "POST",
        path_of(
            "/v1/memories/bulk",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            memories=memories,
            wait=wait,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> CapturedMemories:
    response_200 = CapturedMemories.from_dict(body)

    return response_200
