#!/usr/bin/env bash
# The adapters of the Python package with the frameworks themselves, and the types of everything written by hand.
set -euo pipefail
. "$ROOT/proof/ci/stages.sh"
python() { "$NODE" "$ROOT/scripts/python.mjs" requirements-frameworks.txt "$@"; }

say "The Python package with the frameworks"
python -m uv pip install --quiet --no-deps --no-build-isolation --reinstall .
python -m mypy --strict src/engram_memories
python -m pytest --quiet tests/frameworks
python tests/frameworks/versions.py
