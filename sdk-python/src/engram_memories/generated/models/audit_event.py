# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.audit_event_action import AuditEventAction, check_audit_event_action

T = TypeVar("T", bound="AuditEvent")


@_attrs_define
class AuditEvent:
    id: str
    """ Id of an audit event. """
    action: AuditEventAction
    """ What was done. `organization.restored`: the deletion of the organization was canceled.
    `organization.move.started`: the operator has it moved between the shared database and one of its own; a move
    that is canceled afterwards has no further event. `messages.replaced` is recorded only if messages were deleted.
    Actions are added, but never renamed or removed. """
    key_id: None | str
    """ Id of the key that was used, or of the member who did it; null if the request was made with the admin token,
    or for what the service does by itself: `items.expired`, `retention.applied`, `webhook.paused`, an archive of
    the schedule, and the deletion of one that has expired. """
    client_id: None | str
    """ OAuth id of the client that did it with a grant of the key. `grant.created`, `grant.deleted`: the client of
    the grant. Otherwise null. """
    client_name: None | str
    """ Name of that client, as it calls itself. Nothing proves it. Null without a client. """
    target_id: str
    """ Id of the affected key, grant, member, message, conversation, memory, tombstone, legal hold, rule of
    retention, archive, webhook or user. `messages.replaced`: the conversation. `delivery.skipped`: the webhook.
    `key.rotated`: the old key. `conversations.deleted` and `memories.deleted` (by filter), `items.expired`,
    `archive_schedule.updated`, `organization.updated`, `organization.deleted`, `organization.restored`,
    `organization.move.started`: the organization. `hold.lifted` by the deletion of the organization: the
    organization. `data.exported`: the user of an export with `user_id`, the archive whose lines were read,
    otherwise the organization. """
    operation_id: None | str
    """ Id of the operation that tracks the deletion, the archive or the move; null if the action has none, as
    `retention.applied` for what is no conversation or memory. `organization.restored`: the operation of the
    deletion that was canceled. `tombstone.deleted`: that of the deletion which left the tombstone. `hold.lifted`:
    the deletion of the organization that overrode its holds, and null if a key lifted the hold. """
    request_id: None | str
    """ Id of the request that did it: the `x-request-id` of its response. Null for background work, and for actions
    before request ids were recorded. """
    created_at: str
    """ Time of the action. """
    number: int | None
    """ Place in the chain of the organization's events, from 1 on without a gap. Null for an event of the last
    minutes, which is not in the chain yet. """
    hash: None | str
    """ SHA-256 of a JSON array of two elements, as `JSON.stringify` writes it: the `hash` of the event before in
    the chain (null for the first), and an array of `[name, value]` of all other fields of this event that are not
    null, sorted by name. So an event that was changed or removed shows in the hashes of all later ones. Null if
    `number` is. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        action: str = self.action

        key_id: None | str
        key_id = self.key_id

        client_id: None | str
        client_id = self.client_id

        client_name: None | str
        client_name = self.client_name

        target_id = self.target_id

        operation_id: None | str
        operation_id = self.operation_id

        request_id: None | str
        request_id = self.request_id

        created_at = self.created_at

        number: int | None
        number = self.number

        hash: None | str
        hash = self.hash

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "action": action,
                "key_id": key_id,
                "client_id": client_id,
                "client_name": client_name,
                "target_id": target_id,
                "operation_id": operation_id,
                "request_id": request_id,
                "created_at": created_at,
                "number": number,
                "hash": hash,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        action = check_audit_event_action(d.pop("action"))

        def _parse_key_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        key_id = _parse_key_id(d.pop("key_id"))

        def _parse_client_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        client_id = _parse_client_id(d.pop("client_id"))

        def _parse_client_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        client_name = _parse_client_name(d.pop("client_name"))

        target_id = d.pop("target_id")

        def _parse_operation_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        operation_id = _parse_operation_id(d.pop("operation_id"))

        def _parse_request_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        request_id = _parse_request_id(d.pop("request_id"))

        created_at = d.pop("created_at")

        def _parse_number(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        number = _parse_number(d.pop("number"))

        def _parse_hash(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        hash = _parse_hash(d.pop("hash"))

        audit_event = cls(
            id=id,
            action=action,
            key_id=key_id,
            client_id=client_id,
            client_name=client_name,
            target_id=target_id,
            operation_id=operation_id,
            request_id=request_id,
            created_at=created_at,
            number=number,
            hash=hash,
        )

        return audit_event
