# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="UsageGroup")


@_attrs_define
class UsageGroup:
    """Sum of usage, with the dimensions in `group_by`."""

    requests: int
    """ Sum. By `operation` or `tool`, each MCP tool call counts too. """
    messages: int
    """ Sum. """
    message_bytes: int
    """ Sum. """
    searches: int
    """ Sum. """
    errors: int
    """ Sum. """
    embeddings: int
    """ Sum. """
    day: str | Unset = UNSET
    """ Day in UTC. """
    key_id: None | str | Unset = UNSET
    """ As in `Usage`. """
    operation: None | str | Unset = UNSET
    """ Operation id, `mcp`, `openEventSocket`, or `socketFrame` for frames of clients; null for work of no request.
    """
    tool: None | str | Unset = UNSET
    """ MCP tool; null without one. """
    user_id: None | str | Unset = UNSET
    """ User that the key is bound to. Null for keys that are bound to no user, whatever user their requests name,
    and for work of no request. """

    def to_dict(self) -> dict[str, Any]:
        requests = self.requests

        messages = self.messages

        message_bytes = self.message_bytes

        searches = self.searches

        errors = self.errors

        embeddings = self.embeddings

        day = self.day

        key_id: None | str | Unset
        if isinstance(self.key_id, Unset):
            key_id = UNSET
        else:
            key_id = self.key_id

        operation: None | str | Unset
        if isinstance(self.operation, Unset):
            operation = UNSET
        else:
            operation = self.operation

        tool: None | str | Unset
        if isinstance(self.tool, Unset):
            tool = UNSET
        else:
            tool = self.tool

        user_id: None | str | Unset
        if isinstance(self.user_id, Unset):
            user_id = UNSET
        else:
            user_id = self.user_id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "requests": requests,
                "messages": messages,
                "message_bytes": message_bytes,
                "searches": searches,
                "errors": errors,
                "embeddings": embeddings,
            }
        )
        if day is not UNSET:
            field_dict["day"] = day
        if key_id is not UNSET:
            field_dict["key_id"] = key_id
        if operation is not UNSET:
            field_dict["operation"] = operation
        if tool is not UNSET:
            field_dict["tool"] = tool
        if user_id is not UNSET:
            field_dict["user_id"] = user_id

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        requests = d.pop("requests")

        messages = d.pop("messages")

        message_bytes = d.pop("message_bytes")

        searches = d.pop("searches")

        errors = d.pop("errors")

        embeddings = d.pop("embeddings")

        day = d.pop("day", UNSET)

        def _parse_key_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        key_id = _parse_key_id(d.pop("key_id", UNSET))

        def _parse_operation(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        operation = _parse_operation(d.pop("operation", UNSET))

        def _parse_tool(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        tool = _parse_tool(d.pop("tool", UNSET))

        def _parse_user_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        user_id = _parse_user_id(d.pop("user_id", UNSET))

        usage_group = cls(
            requests=requests,
            messages=messages,
            message_bytes=message_bytes,
            searches=searches,
            errors=errors,
            embeddings=embeddings,
            day=day,
            key_id=key_id,
            operation=operation,
            tool=tool,
            user_id=user_id,
        )

        return usage_group
