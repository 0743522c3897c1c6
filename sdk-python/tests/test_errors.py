"""Problems are exceptions."""

from __future__ import annotations

import pytest

from engram_memories import ApiError, Engram, EngramError

from .fault_server import FaultServer, answer


def test_names_each_invalid_field(engram: Engram) -> None:
    with pytest.raises(ApiError) as refused:
        engram.search(query="", limit=1_000)
    error = refused.value
    assert (error.status, error.code) == (400, "validation_failed")
    assert {field.path for field in error.errors} == {"query", "limit"}
    assert error.request_id is not None and error.request_id.startswith("req_")
    assert error.detail == str(error)
    assert error.type is not None and error.type.endswith("validation_failed")
    assert isinstance(error, EngramError)


def test_refuses_an_unknown_field_of_a_dictionary(engram: Engram) -> None:
    conversation = engram.conversations.create()
    with pytest.raises(ApiError) as refused:
        engram.messages.append(conversation.id, messages=[{"role": "user", "content": "", "contents": "typo"}])
    assert refused.value.code == "validation_failed"


def test_tells_an_answer_of_a_proxy(faults: FaultServer) -> None:
    client = Engram(base_url=faults.url, api_key="k", max_retries=0)
    page = {"content-type": "text/html"}
    for behaviour in (
        answer(200, b"<h1>Sign in</h1>", page),
        answer(502, b"<h1>Bad</h1>", page),
        answer(302, b"", {"location": "/x"}),
    ):
        faults.attempts.clear()
        faults.behaviours = [behaviour]
        with pytest.raises(ApiError) as refused:
            client.conversations.get("conv_1")
        assert refused.value.code == "unexpected_response"
        assert len(faults.attempts) == 1


def test_refuses_wrong_arguments_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Engram(base_url="http://127.0.0.1:1", api_key="k")
    for wrong in ("", ".", ".."):
        with pytest.raises(ValueError):
            client.conversations.get(wrong)
    with pytest.raises(TypeError):
        client.conversations.get(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        client.conversations.update("conv_1", title="x", if_match=None)  # type: ignore[arg-type]
    for url in ("ftp://x", "http://x/v1", "http://u:p@x", "http://x?y=1", "x"):
        with pytest.raises(ValueError):
            Engram(base_url=url, api_key="k")
    with pytest.raises(ValueError) as refused:
        Engram(base_url="http://x", api_key="secret…")
    assert "secret" not in str(refused.value)
    for name in ("ENGRAM_URL", "ENGRAM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(TypeError, match="base_url"):
        Engram(api_key="k")
    with pytest.raises(TypeError, match="api_key"):
        Engram(base_url="http://x")


def test_changes_an_item_only_at_its_version(engram: Engram) -> None:
    created = engram.conversations.create(title="One")
    answered = engram.with_response(engram.conversations.get, created.id)
    assert answered.data.title == "One" and answered.etag and answered.request_id
    engram.conversations.update(created.id, title="Two", if_match=answered.etag)
    with pytest.raises(ApiError) as refused:
        engram.conversations.update(created.id, title="Three", if_match=answered.etag)
    assert refused.value.code == "precondition_failed"
    assert engram.conversations.update(created.id, title=None).title is None
