"""The conversation that stores a thread of an agent framework."""

from __future__ import annotations

import secrets

import pytest

from engram_memories import Engram
from engram_memories._thread import Item, Thread


def test_removes_a_large_item_without_what_others_store_meanwhile(
    engram: Engram, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = Thread(engram, secrets.token_hex(8))
    other = Thread(engram, thread.external_id)
    thread.append([Item("first")])
    send = thread._send

    def send_then_store_other(messages: list[dict[str, object]]) -> None:
        send(messages)
        other.append([Item("of another program")])

    monkeypatch.setattr(thread, "_send", send_then_store_other)
    # More than one request can store.
    value = "kettle " * 400_000
    thread.append([Item(value)])
    assert [stored.value for stored in other.items()].count("of another program") == 2
    other.pop()
    popped = thread.pop()
    assert popped is not None and popped.value == value
    assert [stored.value for stored in other.items()] == ["first", "of another program"]
