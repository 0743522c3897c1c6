"""Prints the table of site/pages/python.md: each framework, and the version that the tests ran with."""

from importlib.metadata import version

PACKAGES = ["langgraph", "langgraph-checkpoint", "openai-agents", "pydantic-ai-slim", "llama-index-core"]

for package in PACKAGES:
    print(f"tried with {package} {version(package)}")
