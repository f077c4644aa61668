#!/usr/bin/env bash
# Run every check: format, lint, types, the laws of imports, then the tests. Makes .venv and the book first if they
# are missing or old. Arguments go to pytest: ./ci/test.sh tests/lanes -k ldmatrix
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=ci/setup.sh
source ci/setup.sh

make_environment .venv requirements.txt
need_chromium
need_firefox

.venv/bin/ruff format --check --quiet --output-format concise . || fail "Some files are not formatted: run .venv/bin/ruff format ."
.venv/bin/ruff check --quiet --output-format concise .
.venv/bin/mypy
laws=$(.venv/bin/lint-imports 2>&1) || fail "$laws"

if [[ $(cat _build/html/.built 2>/dev/null) != "$(book_state)" ]]; then
    echo "the built book is missing or old: building it"
    ./ci/book.sh
fi
if [[ $# -eq 0 ]]; then
    run_tests .venv/bin/python
else
    .venv/bin/python -m pytest "$@"
fi
