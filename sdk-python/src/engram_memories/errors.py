"""What a call raises."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import httpx

from ._retry import retry_after


@dataclass(frozen=True)
class FieldError:
    """A field of the request that is invalid, and why."""

    path: str
    message: str


class EngramError(Exception):
    """Every error that a call raises, except `TypeError` and `ValueError` for a wrong argument."""

    idempotency_key: str | None
    """Idempotency key of the write. Call again with it to repeat the write: it is applied only once."""

    def __init__(self, message: str, *, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class ApiError(EngramError):
    """The service responded with an error. Its text describes it and is safe to show."""

    status: int
    """HTTP status."""
    code: str
    """Error code, for programs. `unexpected_response` if the response does not come from Engram, but from a proxy.
    Codes are added over time, but never renamed or removed."""
    type: str | None
    """URL that identifies the code."""
    title: str
    """Short name of the error, the same for every occurrence of the code."""
    detail: str | None
    """What happened, in words."""
    request_id: str | None
    """Id of the request, which is also in the log of the service."""
    errors: list[FieldError]
    """The invalid fields, for `validation_failed`; otherwise empty."""
    retry_after: float | None
    """Seconds to wait before a retry, as the service asks."""
    headers: httpx.Headers
    """Headers of the response."""
    may_have_applied: bool
    """Whether an earlier attempt of the same call may have taken effect. If so, the error may be a consequence of that
    attempt: a delete may report `not_found` because the attempt has deleted the item."""

    def __init__(
        self,
        response: httpx.Response,
        problem: Mapping[str, Any],
        *,
        idempotency_key: str | None,
        may_have_applied: bool,
    ) -> None:
        code = problem["code"]
        super().__init__(problem.get("detail") or problem.get("title") or code, idempotency_key=idempotency_key)
        self.status = response.status_code
        self.code = code
        self.type = problem.get("type")
        self.title = problem.get("title") or code
        self.detail = problem.get("detail")
        self.request_id = problem.get("request_id") or response.headers.get("x-request-id")
        self.errors = [
            FieldError(path=error["path"], message=error["message"]) for error in problem.get("errors") or []
        ]
        self.headers = response.headers
        self.retry_after = retry_after(response.headers)
        self.may_have_applied = may_have_applied


class ConnectionError(EngramError):
    """No response arrived, or only part of one. A write may have taken effect.

    If the error has an `idempotency_key`, call again with it to be sure: the write is applied only once.
    `__cause__` is the error of httpx.
    """

    code: Literal["timeout", "no_answer"]
    """`timeout` when a time limit expired, `no_answer` when the connection failed or broke."""

    def __init__(
        self,
        message: str,
        *,
        code: Literal["timeout", "no_answer"] = "no_answer",
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message, idempotency_key=idempotency_key)
        self.code = code


def to_api_error(
    response: httpx.Response, *, idempotency_key: str | None = None, may_have_applied: bool = False
) -> ApiError:
    """The error of a response, which may come from Engram or from a proxy. Its body must have been read."""
    problem = _problem(response) or _unexpected(response)
    return ApiError(response, problem, idempotency_key=idempotency_key, may_have_applied=may_have_applied)


def _problem(response: httpx.Response) -> Mapping[str, Any] | None:
    try:
        problem = json.loads(response.content)
    except ValueError:
        return None
    if response.is_success or not isinstance(problem, dict) or not isinstance(problem.get("code"), str):
        return None
    return problem


def _unexpected(response: httpx.Response) -> Mapping[str, Any]:
    kind = response.headers.get("content-type", "no content type")
    what = (
        "a redirect, which the client does not follow"
        if response.is_redirect
        else f"{response.status_code} with {kind}, which is not a response of Engram"
    )
    return {
        "code": "unexpected_response",
        "title": "Unexpected response",
        "detail": f"The server returned {what}. Check base_url, and any proxy between.",
    }
