#!/usr/bin/env bash
# Test the kernels and the live widget on the versions that Colab ships: makes .venv-colab from ci/colab.txt, then runs
# their tests in it. Arguments go to pytest in place of these tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=ci/setup.sh
source ci/setup.sh

make_environment .venv-colab ci/colab.txt 3.13 3.12 3.11
need_chromium
export LANES_BACKEND=simulator
if [[ $# -eq 0 ]]; then
    run_tests .venv-colab/bin/python tests/kernels tests/view/test_live_notebook.py
else
    .venv-colab/bin/python -m pytest "$@"
fi
