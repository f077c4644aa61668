# shellcheck shell=bash
# Sourced by the scripts beside it, from the repository's root: find a Python, make an environment, find the browsers.

export PIP_DISABLE_PIP_VERSION_CHECK=1
export JUPYTER_PREFER_ENV_PATH=1 # the notebooks run in .venv, whatever kernels the reader has installed
export PYDEVD_DISABLE_FILE_VALIDATION=1

trap 'echo "interrupted" >&2; exit 130' INT

fail() {
    echo "$*" >&2
    exit 1
}

# Print VERSION PATH of a Python that starts and can make environments.
# A name on the PATH proves nothing: a version manager may answer to it and have no such Python.
describe_python() {
    "$1" -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2], sys.executable)' 2>/dev/null
}

# find_python [VERSION...]: print the path of a Python of one of the versions, the first named first.
# With no version named, the reader's own python3 comes first and any supported one will do.
find_python() {
    local first=() wanted answer version name
    if [[ $# -eq 0 ]]; then
        first=(python3)
        set -- 3.11 3.12 3.13
    fi
    if [[ -n ${PYTHON:-} ]]; then first=("$PYTHON"); fi
    wanted=" $* "
    for name in "${first[@]}"; do
        if answer=$(describe_python "$name") && [[ $wanted == *" ${answer%% *} "* ]]; then
            echo "${answer#* }" && return
        fi
        if [[ -n ${PYTHON:-} ]]; then fail "PYTHON is $PYTHON, which is not one of the Pythons $* with venv."; fi
    done
    for version in "$@"; do
        for name in "python$version" python3 "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
            if answer=$(describe_python "$name") && [[ ${answer%% *} == "$version" ]]; then
                echo "${answer#* }" && return
            fi
        done
    done
    fail "None of the Pythons $* with venv was found: install one, or set PYTHON to its path."
}

# make_environment DIR REQUIREMENTS [VERSION...]: install once, and again only when something that decides it has changed.
make_environment() {
    local dir=$1 requirements=$2 python state
    shift 2
    if [[ ! -x $dir/bin/python ]] || ! "$dir/bin/python" -c "" 2>/dev/null; then
        python=$(find_python "$@") || exit 1
        echo "making $dir with $("$python" --version)"
        rm -rf "$dir"
        "$python" -m venv "$dir" || fail "Could not make $dir with $python."
    fi
    state=$("$dir/bin/python" ci/fingerprint.py --python "$requirements" ci/lock.txt ci/setup.sh pyproject.toml)
    if [[ $(cat "$dir/.installed" 2>/dev/null) != "$state" ]]; then
        echo "installing $requirements into $dir"
        rm -f "$dir/.installed"
        "$dir/bin/python" -m pip install --quiet --requirement "$requirements" ||
            fail "Could not install $requirements: see pip's message above."
        PYTHONWARNINGS=ignore "$dir/bin/python" -m pip install --quiet --no-deps --no-build-isolation --editable . ||
            fail "Could not install the packages of this repository: see pip's message above."
        echo "$state" >"$dir/.installed"
    fi
}

# What the built pages are made of. The fingerprint tells whether _build/html is older than they are.
book_state() {
    .venv/bin/python ci/fingerprint.py --python book lanes kernels exercises results _config.yml _toc.yml \
        requirements.txt ci/lock.txt
}

# run_tests PYTHON [PATH...]: first the tests that measure seconds, with nothing beside them, then the others on all cores.
run_tests() {
    local python=$1 result=0
    shift
    "$python" -m pytest "$@" --quiet -m timing || result=$?
    if [[ $result != 0 && $result != 5 ]]; then return "$result"; fi # 5: there are none
    "$python" -m pytest "$@" --numprocesses auto -m "not timing"
}

# find_browser PATH...: print the path of the first that starts.
find_browser() {
    local name
    for name in "$@"; do
        if [[ -n $name ]] && "$name" --version >/dev/null 2>&1; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

find_chromium() {
    find_browser "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
        "$HOME"/.cache/ms-playwright/chromium-*/chrome-linux*/chrome
}

find_firefox() {
    find_browser "${FIREFOX:-}" firefox-esr firefox "/Applications/Firefox.app/Contents/MacOS/firefox"
}

# install_package NAME: with apt, where this user may do so.
install_package() {
    local log
    if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
        echo "installing $1"
        log=$(mktemp)
        { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$1"; } \
            >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; }
        rm -f "$log"
    fi
}

# Export CHROMIUM, installing it first where this user may do so.
need_chromium() {
    find_chromium >/dev/null || install_package chromium
    CHROMIUM=$(find_chromium) ||
        fail "Chromium was not found: install it (on Debian: sudo apt-get install chromium), or set CHROMIUM to its path."
    export CHROMIUM
}

# Export FIREFOX, likewise.
need_firefox() {
    find_firefox >/dev/null || install_package firefox-esr
    FIREFOX=$(find_firefox) ||
        fail "Firefox was not found: install it (on Debian: sudo apt-get install firefox-esr), or set FIREFOX to its path."
    export FIREFOX
}
