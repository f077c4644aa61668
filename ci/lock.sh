#!/usr/bin/env bash
# Write ci/lock.txt: what the pins of requirements.txt bring along, as a fresh environment resolves them today.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=ci/setup.sh
source ci/setup.sh

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$(find_python)" -m venv "$fresh/venv"
grep -v '^-c ' requirements.txt >"$fresh/requirements.txt"
"$fresh/venv/bin/python" -m pip install --quiet --upgrade --requirement "$fresh/requirements.txt"
{
    echo "# What requirements.txt brings along, at exact versions. Written by ci/lock.sh."
    "$fresh/venv/bin/python" -m pip freeze | grep '==' | LC_ALL=C sort --ignore-case
} >ci/lock.txt
echo "wrote ci/lock.txt"
