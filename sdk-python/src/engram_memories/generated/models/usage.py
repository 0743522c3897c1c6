# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Usage")


@_attrs_define
class Usage:
    """Usage of one key on one day."""

    day: str
    """ Day in UTC. """
    key_id: None | str
    """ Id of the key or the member; null for work that belongs to no request, such as indexing that the service
    repeats in the background. """
    requests: int
    """ Number of requests with the key, including rejected ones. A request to the MCP endpoint `/mcp` counts once,
    however many tools it calls. A frame that a client sends over a socket counts as a request, except the first of
    each socket, `ping`, and an `ack` that the service does not wait for. """
    messages: int
    """ Number of new messages and memories, including those stored by a fork or an import. Items that were already
    stored do not count again: messages with a known external id, memories with the same content, repeats of a
    request with the same idempotency key, and lines that an earlier import stored. """
    message_bytes: int
    """ Number of bytes of content stored, as UTF-8: of the items that `messages` counts, and of messages and
    memories whose content was changed. """
    searches: int
    """ Number of successful searches of conversations and memories. """
    errors: int
    """ Number of requests that were answered with a problem (a status of 400 or more). A failed MCP tool call
    counts as one. """
    embeddings: int
    """ Number of texts for which the embedding model computed a vector: chunks of messages and memories each time
    they are indexed, and queries of hybrid and semantic searches, except those whose vector the service still has
    from an earlier search of the same organization. Texts that a text model reads to write tags and summaries do
    not count. """

    def to_dict(self) -> dict[str, Any]:
        day = self.day

        key_id: None | str
        key_id = self.key_id

        requests = self.requests

        messages = self.messages

        message_bytes = self.message_bytes

        searches = self.searches

        errors = self.errors

        embeddings = self.embeddings

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "day": day,
                "key_id": key_id,
                "requests": requests,
                "messages": messages,
                "message_bytes": message_bytes,
                "searches": searches,
                "errors": errors,
                "embeddings": embeddings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        day = d.pop("day")

        def _parse_key_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        key_id = _parse_key_id(d.pop("key_id"))

        requests = d.pop("requests")

        messages = d.pop("messages")

        message_bytes = d.pop("message_bytes")

        searches = d.pop("searches")

        errors = d.pop("errors")

        embeddings = d.pop("embeddings")

        usage = cls(
            day=day,
            key_id=key_id,
            requests=requests,
            messages=messages,
            message_bytes=message_bytes,
            searches=searches,
            errors=errors,
            embeddings=embeddings,
        )

        return usage
