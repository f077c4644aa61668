#!/usr/bin/env bash
# Build the book to _build/html, with warnings as errors. Makes .venv first if it is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=ci/setup.sh
source ci/setup.sh

make_environment .venv requirements.txt
rm -rf _build/html # a page or file of an older build would stay
state=$(book_state)
.venv/bin/jupyter-book build . --all -W -n --keep-going ||
    fail "The book did not build: the warnings and errors above say where."
echo "$state" >_build/html/.built
echo "Open $PWD/_build/html/index.html"
