# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.delivery_status import DeliveryStatus, check_delivery_status

if TYPE_CHECKING:
    from ..models.webhook_attempt import WebhookAttempt


T = TypeVar("T", bound="Delivery")


@_attrs_define
class Delivery:
    """An event of which an attempt failed."""

    id: str
    """ Id of a delivery: the id of its event. """
    sequence: int
    """ Position of the event in the log of the organization: 1, 2, 3, without gaps, in the order of the changes.
    """
    status: DeliveryStatus
    """ `pending`: the event will be sent. `delivered`: the receiver has it. `skipped`: it is not sent any more,
    after `skipDelivery` or an update of `after` or `types`. """
    next_attempt_at: None | str
    """ Earliest time of the next attempt; null if there is none, if it is due, or while the webhook is paused or
    disabled. """
    attempts: list[WebhookAttempt]
    """ The last 12 attempts, oldest first. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        sequence = self.sequence

        status: str = self.status

        next_attempt_at: None | str
        next_attempt_at = self.next_attempt_at

        attempts = []
        for attempts_item_data in self.attempts:
            attempts_item = attempts_item_data.to_dict()
            attempts.append(attempts_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "sequence": sequence,
                "status": status,
                "next_attempt_at": next_attempt_at,
                "attempts": attempts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.webhook_attempt import WebhookAttempt  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        sequence = d.pop("sequence")

        status = check_delivery_status(d.pop("status"))

        def _parse_next_attempt_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        next_attempt_at = _parse_next_attempt_at(d.pop("next_attempt_at"))

        attempts = []
        _attempts = d.pop("attempts")
        for attempts_item_data in _attempts:
            attempts_item = WebhookAttempt.from_dict(attempts_item_data)

            attempts.append(attempts_item)

        delivery = cls(
            id=id,
            sequence=sequence,
            status=status,
            next_attempt_at=next_attempt_at,
            attempts=attempts,
        )

        return delivery
