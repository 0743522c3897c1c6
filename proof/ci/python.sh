#!/usr/bin/env bash
# The Python package: its generated files, its format, its types, and its tests against the running service.
set -euo pipefail
. "$ROOT/proof/ci/stages.sh"
python() { "$NODE" "$ROOT/scripts/python.mjs" requirements.txt "$@"; }

say "Python"
python generator/generate.py --check
python -m ruff check .
python -m ruff format --check .
python -m uv pip install --quiet --no-deps --no-build-isolation --reinstall .
python -m pytest --quiet --ignore tests/frameworks
