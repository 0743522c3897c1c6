"""A LangGraph checkpointer: each thread is a conversation, to which checkpoints and writes are appended."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_id,
    get_checkpoint_metadata,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from ._owner import owner_of
from ._thread import Item, Thread
from .client import Engram
from .generated.types import UNSET, Unset

_TAG = "langgraph-checkpoints"


class EngramSaver(BaseCheckpointSaver[str]):
    """A LangGraph checkpointer. The `external_id` of a conversation is `langgraph.` and the id of the thread.

    Checkpoints have no text, so searches do not find them. Needs the scopes `read` and `write`; `delete_thread` also
    needs `delete`.
    """

    def __init__(
        self,
        client: Engram,
        *,
        user_id: str | Unset = UNSET,
        agent_id: str | Unset = UNSET,
        serde: SerializerProtocol | None = None,
    ) -> None:
        """Create a checkpointer. Nothing is sent before the first call.

        Args:
            client: A client. The asynchronous methods use it in a thread.
            user_id: The user that the threads belong to.
            agent_id: The agent that the threads belong to.
            serde: Makes bytes of checkpoints. Default: that of LangGraph.
        """
        super().__init__(serde=serde)
        self._client = client
        self._owner = owner_of(user_id, agent_id)

    def _thread(self, thread_id: str) -> Thread:
        return Thread(self._client, f"langgraph.{thread_id}", tags=[_TAG], **self._owner)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        place = config["configurable"]
        thread_id, namespace = place["thread_id"], place.get("checkpoint_ns", "")
        value = {
            "kind": "checkpoint",
            "ns": namespace,
            "id": checkpoint["id"],
            "parent": place.get("checkpoint_id"),
            "checkpoint": self._dump(checkpoint),
            "metadata": self._dump(get_checkpoint_metadata(config, metadata)),
        }
        self._thread(thread_id).append([Item(value)])
        return _config(thread_id, namespace, checkpoint["id"])

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        place = config["configurable"]
        value = {
            "kind": "writes",
            "ns": place.get("checkpoint_ns", ""),
            "id": place["checkpoint_id"],
            "task": task_id,
            "writes": [
                [WRITES_IDX_MAP.get(channel, index), channel, self._dump(written)]
                for index, (channel, written) in enumerate(writes)
            ],
        }
        self._thread(place["thread_id"]).append([Item(value)])

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        place = config["configurable"]
        return next(self._tuples(place["thread_id"], place.get("checkpoint_ns", ""), get_checkpoint_id(config)), None)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        place = config["configurable"] if config else {}
        thread_ids = [place["thread_id"]] if config else self._thread_ids()
        before_id = get_checkpoint_id(before) if before else None
        found = (
            each
            for thread_id in thread_ids
            for each in self._tuples(
                thread_id, place.get("checkpoint_ns"), get_checkpoint_id(config) if config else None
            )
            if before_id is None or each.checkpoint["id"] < before_id
            if all(each.metadata.get(name) == wanted for name, wanted in (filter or {}).items())
        )
        for index, each in enumerate(found):
            if limit is not None and index >= limit:
                return
            yield each

    def delete_thread(self, thread_id: str) -> None:
        self._thread(thread_id).delete()

    def _thread_ids(self) -> Iterator[str]:
        for conversation in self._client.conversations.list(tags_all=[_TAG], limit=100, **self._owner):
            yield (conversation.external_id or "").removeprefix("langgraph.")

    def _tuples(self, thread_id: str, namespace: str | None, checkpoint_id: str | None) -> Iterator[CheckpointTuple]:
        """The checkpoints, newest first. Writes are stored after their checkpoint, so they are read before it."""
        writes: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for stored in self._thread(thread_id).newest_first():
            value = stored.value
            if namespace is not None and value["ns"] != namespace:
                continue
            if checkpoint_id is not None and value["id"] != checkpoint_id:
                continue
            key = (value["ns"], value["id"])
            if value["kind"] == "writes":
                writes.setdefault(key, []).append(value)
                continue
            parent = value["parent"]
            yield CheckpointTuple(
                config=_config(thread_id, value["ns"], value["id"]),
                checkpoint=self._load(value["checkpoint"]),
                metadata=self._load(value["metadata"]),
                parent_config=_config(thread_id, value["ns"], parent) if parent else None,
                pending_writes=_pending(writes.pop(key, []), self._load),
            )
            if checkpoint_id is not None and namespace is not None:
                return

    def _dump(self, value: Any) -> Sequence[str]:
        kind, data = self.serde.dumps_typed(value)
        return [kind, base64.b64encode(data).decode()]

    def _load(self, data: Sequence[str]) -> Any:
        return self.serde.loads_typed((data[0], base64.b64decode(data[1])))

    async def aput(self, *args: Any, **kwargs: Any) -> RunnableConfig:
        return await asyncio.to_thread(self.put, *args, **kwargs)

    async def aput_writes(self, *args: Any, **kwargs: Any) -> None:
        await asyncio.to_thread(self.put_writes, *args, **kwargs)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(self, config: RunnableConfig | None, **options: Any) -> AsyncIterator[CheckpointTuple]:
        found = self.list(config, **options)
        while (each := await asyncio.to_thread(next, found, None)) is not None:
            yield each

    async def adelete_thread(self, thread_id: str) -> None:
        await asyncio.to_thread(self.delete_thread, thread_id)

    def get_next_version(self, current: str | None, channel: Any) -> str:
        """A version that sorts as text."""
        return f"{int((current or '0').split('.')[0]) + 1:032}"


def _config(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": namespace, "checkpoint_id": checkpoint_id}}


def _pending(newest_first: list[dict[str, Any]], load: Callable[[Any], Any]) -> list[tuple[str, str, Any]]:
    """A repeated write of a task changes nothing, except a special one, such as an error."""
    pending: dict[tuple[str, int], tuple[str, str, Any]] = {}
    for value in reversed(newest_first):
        for index, channel, data in value["writes"]:
            if index < 0 or (value["task"], index) not in pending:
                pending[value["task"], index] = (value["task"], channel, load(data))
    return list(pending.values())
