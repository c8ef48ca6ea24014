#!/bin/sh
# Make the virtual environment in $1 with the locked versions. Needs Python 3.11 to 3.13 and nothing else.
set -eu
venv="$1"
python=""
for name in python3 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null 2>&1 &&
        "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'; then
        python="$name"
        break
    fi
done
if [ -z "$python" ]; then
    echo "redraft needs Python 3.11, 3.12 or 3.13; found: $(python3 --version 2>&1 || echo none)." >&2
    exit 1
fi
if ! "$python" -m venv "$venv" >/dev/null 2>&1; then
    # Debian and Ubuntu keep the venv module's pip in a package of its own.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
        "$python" -m venv --clear "$venv"
    else
        echo "python -m venv does not work here; on Debian and Ubuntu: sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
    -r "$(dirname "$0")/uv.txt"
# LPIPS brings gigabytes, and nobody needs it to begin with.
"$venv/bin/uv" sync --quiet --frozen --all-extras --no-extra lpips --python "$venv/bin/python"
