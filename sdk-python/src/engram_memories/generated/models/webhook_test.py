# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.webhook_attempt import WebhookAttempt
    from ..models.webhook_test_event import WebhookTestEvent


T = TypeVar("T", bound="WebhookTest")


@_attrs_define
class WebhookTest:
    """The result of a test."""

    event: WebhookTestEvent
    """ The event that was sent. """
    attempt: WebhookAttempt
    """ How the request ended. """

    def to_dict(self) -> dict[str, Any]:
        event = self.event.to_dict()

        attempt = self.attempt.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "event": event,
                "attempt": attempt,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.webhook_attempt import WebhookAttempt  # noqa: PLC0415
        from ..models.webhook_test_event import WebhookTestEvent  # noqa: PLC0415

        d = dict(src_dict)
        event = WebhookTestEvent.from_dict(d.pop("event"))

        attempt = WebhookAttempt.from_dict(d.pop("attempt"))

        webhook_test = cls(
            event=event,
            attempt=attempt,
        )

        return webhook_test
