"""The programs of the documents print what the documents show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engram_memories import Engram

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["site/pages/python.md", "sdk-python/README.md"]
BLOCK = re.compile(
    r"^(?P<mark><!-- not run: .+ -->\n)?```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.M | re.S,
)
BLOCKS = [
    pytest.param(block["code"], block["output"] or "", id=f"{document}:{text[: block.start()].count(chr(10)) + 1}")
    for document in DOCUMENTS
    for text in [(ROOT / document).read_text()]
    for block in BLOCK.finditer(text)
    if not block["mark"]
]


@pytest.mark.parametrize(("code", "output"), BLOCKS)
def test_runs_as_documented(
    code: str,
    output: str,
    key: str,
    operator: Engram,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ENGRAM_API_KEY", key)
    monkeypatch.setenv("ENGRAM_ADMIN_TOKEN", operator._http.headers["authorization"].removeprefix("Bearer "))
    exec(compile(code, "program.py", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == output
