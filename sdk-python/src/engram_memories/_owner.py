"""The user and the agent that an adapter works for."""

from __future__ import annotations

from typing import Any

from .generated.types import Unset


def owner_of(user_id: str | Unset, agent_id: str | Unset) -> dict[str, Any]:
    """The owner, as arguments of a call. An empty one is refused: it would open the data of all users."""
    owner: dict[str, Any] = {}
    for name, value in (("user_id", user_id), ("agent_id", agent_id)):
        if isinstance(value, Unset):
            continue
        if not isinstance(value, str) or not value:
            raise TypeError(f"{name} must not be {value!r}. Leave it out for the data of all that the key can access.")
        owner[name] = value
    return owner
