#!/bin/sh
# Install the programs that the tests marked `real` drive, when this is root on Debian or Ubuntu.
# Elsewhere nothing is installed: those tests then skip and name what is missing.
set -eu
missing=""
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "Not installed, so the tests that need them will be skipped:$missing" >&2
fi
