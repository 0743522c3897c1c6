"""The store and the checkpointer, with LangGraph itself."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("langgraph")

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.store.base import GetOp, InvalidNamespaceError, PutOp, SearchOp
from langgraph.types import Command, interrupt

from engram_memories import Engram
from engram_memories.langgraph import EngramStore
from engram_memories.langgraph_checkpoint import EngramSaver


def test_store_keeps_and_finds_items(engram: Engram) -> None:
    store = EngramStore(engram, user_id="maria")
    store.put(("guests", "paul"), "room", {"text": "Wants a quiet room", "floor": 3, "é": None})
    store.put(("guests", "maria"), "diet", {"text": "Allergic to walnuts", "floor": 5})
    item = store.get(("guests", "paul"), "room")
    assert item is not None
    assert (item.value, item.namespace, item.key) == (
        {"text": "Wants a quiet room", "floor": 3, "é": None},
        ("guests", "paul"),
        "room",
    )
    assert item.updated_at >= item.created_at
    [found] = store.search(("guests",), query="Who must not eat nuts?", limit=1)
    assert found.key == "diet" and found.score is not None
    assert [each.key for each in store.search(("guests",))] == ["room", "diet"]
    assert [each.key for each in store.search(("guests",), filter={"floor": {"$gt": 3}})] == ["diet"]
    assert [each.key for each in store.search(("guests",), filter={"floor": 3})] == ["room"]
    assert [each.key for each in store.search(("guests",), offset=1, limit=1)] == ["diet"]
    assert store.search(("other",)) == []
    assert store.list_namespaces(prefix=("guests",)) == [("guests", "maria"), ("guests", "paul")]
    assert store.list_namespaces(max_depth=1) == [("guests",)]
    assert store.list_namespaces(suffix=("paul",)) == [("guests", "paul")]
    store.put(("guests", "paul"), "room", {"text": "Wants a balcony"})
    again = store.get(("guests", "paul"), "room")
    assert again is not None and again.value == {"text": "Wants a balcony"}
    store.delete(("guests", "paul"), "room")
    store.delete(("guests", "paul"), "room")
    assert store.get(("guests", "paul"), "room") is None
    assert EngramStore(engram, user_id="ben").get(("guests", "maria"), "diet") is None


def test_store_runs_a_batch_and_refuses_what_it_cannot_keep(engram: Engram) -> None:
    store = EngramStore(engram)
    results = store.batch(
        [
            PutOp(("a",), "k", {"n": 1}),
            GetOp(("a",), "k"),
            PutOp(("a",), "k", {"n": 2}),
            SearchOp(("a",), limit=5),
        ]
    )
    assert results == [None, None, None, []]
    item = store.get(("a",), "k")
    assert item is not None and item.value == {"n": 2}
    with pytest.raises((TypeError, ValueError)):
        store.put(("a",), "k", {"n": {1: "key"}})
    with pytest.raises(InvalidNamespaceError):
        store.get(("a.b",), "k")


@pytest.mark.anyio
async def test_store_is_asynchronous_too(engram: Engram) -> None:
    store = EngramStore(engram)
    await store.aput(("a",), "k", {"n": 1})
    item = await store.aget(("a",), "k")
    assert item is not None and item.value == {"n": 1}
    assert len(await store.asearch(("a",))) == 1


def graph_of(saver: EngramSaver, model: Any) -> Any:
    builder = StateGraph(MessagesState)
    builder.add_node("answer", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    return builder.compile(checkpointer=saver)


def test_checkpointer_continues_a_thread(engram: Engram) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("Hello 👋"), AIMessage("Again")]))
    config: Any = {"configurable": {"thread_id": "t-1"}}
    graph_of(EngramSaver(engram), model).invoke({"messages": [("user", "Hi\x00")]}, config)
    graph = graph_of(EngramSaver(engram), model)
    state = graph.invoke({"messages": [("user", "And?")]}, config)
    assert [message.content for message in state["messages"]] == ["Hi\x00", "Hello 👋", "And?", "Again"]
    history = list(graph.get_state_history(config))
    assert [len(each.values.get("messages", [])) for each in history] == [4, 3, 2, 2, 1, 0]
    assert [each.metadata["step"] for each in history] == [4, 3, 2, 1, 0, -1]
    saver = EngramSaver(engram)
    assert len(list(saver.list(config, limit=2))) == 2
    before = history[2].config
    assert (
        next(saver.list(config, before=before)).checkpoint["id"] == history[3].config["configurable"]["checkpoint_id"]
    )
    assert [each.metadata["step"] for each in saver.list(config, filter={"step": 1})] == [1]
    assert len(list(saver.list(None))) == 6
    # From an earlier point, the thread forks.
    earlier = graph.get_state(history[3].config)
    assert [message.content for message in earlier.values["messages"]] == ["Hi\x00", "Hello 👋"]
    saver.delete_thread("t-1")
    assert saver.get_tuple(config) is None
    assert graph.get_state(config).values == {}
    assert list(engram.search(query="Hello", mode="keyword").results) == []


def test_checkpointer_keeps_pending_writes_of_an_interrupt(engram: Engram) -> None:
    builder = StateGraph(MessagesState)
    builder.add_node("ask", lambda state: {"messages": [("assistant", f"You said {interrupt('Name?')}")]})
    builder.add_edge(START, "ask")
    config: Any = {"configurable": {"thread_id": "t-2"}}
    first = builder.compile(checkpointer=EngramSaver(engram)).invoke({"messages": [("user", "Hi")]}, config)
    assert first["__interrupt__"][0].value == "Name?"
    state = builder.compile(checkpointer=EngramSaver(engram)).invoke(Command(resume="Ana"), config)
    assert state["messages"][-1].content == "You said Ana"


@pytest.mark.anyio
async def test_checkpointer_is_asynchronous_too_and_keeps_large_states(engram: Engram) -> None:
    large = "z" * 900_000
    model = GenericFakeChatModel(messages=iter([AIMessage(large), AIMessage("Short")]))
    config: Any = {"configurable": {"thread_id": "t-3"}}
    graph = graph_of(EngramSaver(engram, user_id="ana"), model)
    await graph.ainvoke({"messages": [("user", "Hi")]}, config)
    state = await graph.ainvoke({"messages": [("user", "And?")]}, config)
    assert [len(message.content) for message in state["messages"]] == [2, 900_000, 4, 5]
    assert len([each async for each in graph.aget_state_history(config)]) == 6
    saver = EngramSaver(engram, user_id="ana")
    await saver.adelete_thread("t-3")
    assert await saver.aget_tuple(config) is None
