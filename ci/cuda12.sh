#!/usr/bin/env bash
# Put the CUDA 12 toolkit in the place of CUDA 13's in .venv, for drivers that are older than 580.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=ci/setup.sh
source ci/setup.sh

make_environment .venv requirements.txt
# Both toolkits may be installed at once, and then the newer is loaded: the old driver would refuse what it makes.
.venv/bin/python -m pip uninstall --quiet --yes nvidia-cuda-cccl nvidia-cuda-nvrtc nvidia-cuda-runtime \
    nvidia-nvjitlink nvidia-nvvm
.venv/bin/python -m pip install --quiet "numba-cuda[cu12]==$(.venv/bin/python -c \
    'from importlib.metadata import version; print(version("numba-cuda"))')"
.venv/bin/python -m kernels doctor
