"""The Python client of Engram, a memory service for AI agents."""

from ._http import Answer
from ._lines import ImportSummary
from ._pages import AsyncList, List, Page
from .client import AsyncEngram, Engram
from .errors import ApiError, ConnectionError, EngramError, FieldError
from .generated import models
from .generated.types import UNSET, Unset
from .webhooks import WebhookError, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "UNSET",
    "Answer",
    "ApiError",
    "AsyncEngram",
    "AsyncList",
    "ConnectionError",
    "Engram",
    "EngramError",
    "FieldError",
    "ImportSummary",
    "List",
    "Page",
    "Unset",
    "WebhookError",
    "models",
    "verify_webhook",
]
