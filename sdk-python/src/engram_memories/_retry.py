"""When a call is retried, and how long it waits before. The TypeScript client does the same."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

RETRY_AFTER_MAX = 60.0
"""The longest `Retry-After` in seconds that is obeyed. If the server asks for more, the call fails instead."""
_BACKOFF_FIRST = 0.5
_BACKOFF_MAX = 8.0
_NUMBER = re.compile(r"\d+(\.\d+)?")
_NEVER_RETRIED = (501, 505, 507)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a response asks to wait: from `retry-after-ms`, or else from `Retry-After`.

    A date is compared with the response's `Date` if there is one, because the clock of this machine may be wrong.
    """
    exact = headers.get("retry-after-ms", "").strip()
    if _NUMBER.fullmatch(exact):
        return float(exact) / 1_000
    text = headers.get("retry-after", "").strip()
    if _NUMBER.fullmatch(text):
        return float(text)
    at = _date(text)
    if at is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (at - now).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        return parsedate_to_datetime(text) if text.endswith(" GMT") else None
    except ValueError:
        return None


def backoff(retries: int) -> float:
    """A random number of seconds: up to 0.5 before the first retry, then 1, 2, 4, and 8 before every later one."""
    return random.random() * min(_BACKOFF_MAX, _BACKOFF_FIRST * 2.0**retries)


def seconds_before_retry(status: int, headers: Mapping[str, str], retries: int) -> float | None:
    """Seconds to wait after this response before a retry; None if the call is not retried.

    Any 5xx status but three counts, because proxies use statuses of their own.
    """
    if status not in (408, 429) and (status < 500 or status in _NEVER_RETRIED):
        return None
    asked = retry_after(headers)
    if asked is None:
        return backoff(retries)
    return asked if asked <= RETRY_AFTER_MAX else None
