# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Ticket")


@_attrs_define
class Ticket:
    """A ticket, which opens one socket."""

    ticket: str
    """ The ticket. Open the socket with the subprotocols `engram.v1` and `engram.ticket.` followed by the ticket.
    It is shown only here. """
    expires_at: str
    """ Time from which the ticket is refused. """

    def to_dict(self) -> dict[str, Any]:
        ticket = self.ticket

        expires_at = self.expires_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "ticket": ticket,
                "expires_at": expires_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        ticket = d.pop("ticket")

        expires_at = d.pop("expires_at")

        ticket = cls(
            ticket=ticket,
            expires_at=expires_at,
        )

        return ticket
