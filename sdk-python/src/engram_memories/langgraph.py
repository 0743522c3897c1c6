"""A LangGraph store: each item is a memory, which a search finds by words and by meaning.

The checkpointer is in `engram_memories.langgraph_checkpoint`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
)

from ._owner import owner_of
from .client import Engram
from .errors import ApiError
from .generated.models import FoundMemory, Memory
from .generated.types import UNSET, Unset

_TAG = "langgraph"
_SEARCH_RESULTS_MAX = 50


class EngramStore(BaseStore):
    """A LangGraph store. The `parts` of a memory hold the value of its item.

    Needs the scopes `read`, `write`, `search` and `delete`. Limits: 240 characters for namespace and key together, and
    500,000 bytes of JSON for a value.
    """

    def __init__(self, client: Engram, *, user_id: str | Unset = UNSET, agent_id: str | Unset = UNSET) -> None:
        """Create a store. Nothing is sent before the first call.

        Args:
            client: A client. The asynchronous methods use it in a thread.
            user_id: The user that the items belong to. Stores of different owners do not see each other's items.
            agent_id: The agent that the items belong to.
        """
        self._client = client
        self._owner = owner_of(user_id, agent_id)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run several operations. The reads run before the puts of the same batch. Of several puts to one key, only the
        last is stored."""
        operations = list(ops)
        puts = {(op.namespace, op.key): op for op in operations if isinstance(op, PutOp)}
        bodies = {place: _body(op) for place, op in puts.items() if op.value is not None}
        results = [self._read(op) for op in operations]
        for place in puts:
            if place in bodies:
                self._client.memories.put(**bodies[place], **self._owner)
            else:
                self._delete(*place)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, ops)

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            memory = self._find(op.namespace, op.key)
            return None if memory is None else Item(**_fields(memory))
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._namespaces(op) if isinstance(op, ListNamespacesOp) else None

    def _find(self, namespace: tuple[str, ...], key: str) -> Memory | None:
        found = self._client.memories.list(
            external_id=_external_id(namespace, key), exact_owner=True, limit=1, **self._owner
        ).page()
        return found.items[0] if found.items else None

    def _delete(self, namespace: tuple[str, ...], key: str) -> None:
        memory = self._find(namespace, key)
        if memory is None:
            return
        try:
            self._client.memories.delete(memory.id)
        except ApiError as error:
            if error.code != "not_found":
                raise

    def _search(self, op: SearchOp) -> list[SearchItem]:
        """With a query, the filter applies to the 50 best results. Without one, items are in order of creation."""
        found = self._by_query(op) if op.query else map(_search_item, self._all(_tag(op.namespace_prefix)))
        wanted: list[SearchItem] = []
        for item in found:
            if all(_matches(item.value.get(name), condition) for name, condition in (op.filter or {}).items()):
                wanted.append(item)
            if len(wanted) >= op.offset + op.limit:
                break
        return wanted[op.offset :]

    def _by_query(self, op: SearchOp) -> Iterable[SearchItem]:
        answer = self._client.memories.search(
            query=op.query or "", tags_all=[_tag(op.namespace_prefix)], limit=_SEARCH_RESULTS_MAX, **self._owner
        )
        return (_search_item(result.memory, result.relevance) for result in answer.results)

    def _all(self, tag: str) -> Iterable[Memory]:
        return self._client.memories.list(tags_all=[tag], sort="created_at", order="asc", limit=100, **self._owner)

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        namespaces = {
            namespace[: op.max_depth]
            for namespace in (tuple(memory.metadata["namespace"]) for memory in self._all(_TAG))
            if all(_is_under(namespace, condition) for condition in op.match_conditions or ())
        }
        return sorted(namespaces)[op.offset : op.offset + op.limit]


def _body(op: PutOp) -> dict[str, Any]:
    value = dict(op.value or {})
    texts = [text for path in op.index for text in get_text_at_path(value, path)] if op.index else _texts(value)
    # LangGraph expects that a search finds an item as soon as it is stored, also by its meaning.
    return {
        "external_id": _external_id(op.namespace, op.key),
        "content": "" if op.index is False else "\n".join(texts),
        "parts": {"namespace": list(op.namespace), "key": op.key, "value": _exact(value)},
        "tags": [_tag(op.namespace[:length]) for length in range(len(op.namespace) + 1)],
        "metadata": {"namespace": list(op.namespace)},
        "wait": "indexed",
    }


def _exact(value: dict[str, Any]) -> dict[str, Any]:
    """The value if JSON keeps it equal."""
    if json.loads(json.dumps(value, allow_nan=False)) != value:
        raise TypeError("The value cannot be stored exactly: JSON would change it.")
    return value


def _tag(namespace: tuple[str, ...]) -> str:
    return ".".join([_TAG, *namespace])


def _external_id(namespace: tuple[str, ...], key: str) -> str:
    """A label has no dot, so two dots mark where the key begins."""
    if not namespace or any(not label or "." in label for label in namespace):
        raise InvalidNamespaceError(f"A namespace has labels without dots: {namespace}")
    return f"{_tag(namespace)}..{key}"


def _fields(memory: Memory | FoundMemory) -> dict[str, Any]:
    return {
        **memory.parts,
        "namespace": tuple(memory.parts["namespace"]),
        "created_at": datetime.fromisoformat(memory.created_at.replace("Z", "+00:00")),
        "updated_at": datetime.fromisoformat(memory.updated_at.replace("Z", "+00:00")),
    }


def _search_item(memory: Memory | FoundMemory, score: float | None = None) -> SearchItem:
    return SearchItem(**_fields(memory), score=score)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in values for text in _texts(each)]


def _is_under(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return len(part) == len(path) and all(one in ("*", other) for one, other in zip(path, part))


def _matches(value: Any, condition: Any) -> bool:
    if not isinstance(condition, dict) or not condition or not all(name in _OPERATORS for name in condition):
        return bool(value == condition)
    return all(_OPERATORS[name](value, other) for name, other in condition.items())


_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: value == other,
    "$ne": lambda value, other: value != other,
    "$gt": lambda value, other: value is not None and value > other,
    "$gte": lambda value, other: value is not None and value >= other,
    "$lt": lambda value, other: value is not None and value < other,
    "$lte": lambda value, other: value is not None and value <= other,
}
