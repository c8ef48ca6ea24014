#!/bin/sh
# Install the programs that the tests marked `real` drive, when this is root on Debian or Ubuntu: Chromium, KiCad 9 with
# its demo boards and a screen for it, OpenGL through EGL, bubblewrap, a Redis server, a second GLSL compiler, xdotool,
# Graphviz and a keyring.
# What cannot be had is named and the rest goes on: those tests then skip.
set -eu
export DEBIAN_FRONTEND=noninteractive
DEMOS=/usr/share/kicad/demos
KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

say() { echo "real_parts: $*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }
has_library() { /sbin/ldconfig -p | grep -q "$1"; }
blender_lacks() {
    for pair in libXrender.so.1:libxrender1 libXi.so.6:libxi6 libxkbcommon.so.0:libxkbcommon0 libSM.so.6:libsm6; do
        has_library "${pair%%:*}" || echo "${pair#*:}"
    done
}
has_egl() { has_library 'libEGL\.so\.1' && has_library 'libGL\.so\.1'; }
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
major() { echo "${1#*:}" | sed 's/[^0-9].*//'; }
has_kicad() { has kicad-cli && [ "$(major "$(kicad-cli version)")" -ge 9 ] && [ -d "$DEMOS" ]; }
candidate() { major "$(apt-cache policy kicad | sed -n 's/^ *Candidate: //p')"; }

# The releases that apt knows, one a line with its address; both forms of source files look alike here.
releases() { apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 'Component: main'; }

# Make apt know the backports of this Debian, from the place where Debian itself comes from.
add_backports() {
    releases | grep -q "^$1-backports " && return
    address=$(releases | sed -n "s/^$1 //p" | head -n 1)
    [ -n "$address" ] && [ -f "$KEYS" ] || return
    echo "deb [signed-by=$KEYS] $address $1-backports main" >"/etc/apt/sources.list.d/$1-backports.list"
    apt-get update -qq
}

install_kicad() {
    if [ "$(candidate)" -ge 9 ] 2>/dev/null; then
        install kicad kicad-demos
    else
        codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
        add_backports "$codename" && install -t "$codename-backports" kicad kicad-demos
    fi
}

missing=""
has chromium || missing="$missing chromium"
has Xvfb || missing="$missing xvfb"
has_egl || missing="$missing libegl1 libgl1"
has bwrap || missing="$missing bubblewrap"
has redis-server || missing="$missing redis-server"
has glslangValidator || missing="$missing glslang-tools"
has blender || missing="$missing blender"
has dot || missing="$missing graphviz"
has gnome-keyring-daemon && has dbus-run-session || missing="$missing gnome-keyring dbus"
has xdotool || missing="$missing xdotool"
for package in $(blender_lacks); do missing="$missing $package"; done
if [ "$(id -u)" = 0 ] && has apt-get; then
    if [ -n "$missing" ] || ! has_kicad; then
        apt-get update -qq || say "the lists of packages could not be fetched"
    fi
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install $missing || say "these could not be installed:$missing"
    has_kicad || install_kicad || say "the packages kicad and kicad-demos could not be installed"
fi
has chromium || say "Chromium is missing; Debian's package is chromium"
has Xvfb || say "Xvfb is missing; Debian's package is xvfb"
has_kicad || say "KiCad 9 with its demo boards is missing; Debian 12 has it in its backports: kicad kicad-demos"
has_egl || say "OpenGL through EGL is missing; Debian's packages are libegl1 and libgl1"
has bwrap || say "bubblewrap is missing; Debian's package is bubblewrap"
has redis-server || say "redis-server is missing; Debian's package is redis-server"
has glslangValidator || say "glslangValidator is missing; Debian's package is glslang-tools"
has blender || say "Blender is missing; Debian's package is blender"
has xdotool || say "xdotool is missing; Debian's package is xdotool"
has gnome-keyring-daemon && has dbus-run-session || say "a keyring is missing; Debian's packages are gnome-keyring and dbus"
has dot || say "Graphviz is missing; Debian's package is graphviz"
has npm || say "npm is missing; the MCP inspector and axe are fetched with it: nodejs npm"

# Blender's module, in a folder of its own that `make setup` leaves alone: about 1 GB, by the command that users have.
if [ -x .venv/bin/redraft ]; then
    timeout 900 .venv/bin/redraft setup blender >/dev/null || say "Blender's module could not be installed"
fi

# LPIPS with PyTorch for the CPU (`+cpu`; the builds for CUDA are many times larger and never fetched), in a folder of its
# own that `make setup` leaves alone: about 0.9 GB and 40 s, for its tests only. Its build of torch is pinned for CPython
# 3.11 on x86_64.
LPIPS=.venv/lpips
LPIPS_PARTS="$(dirname "$0")/lpips.txt"
PIP=".venv/bin/python -m pip --disable-pip-version-check --retries 1 --timeout 30"
has_lpips() { cmp -s "$LPIPS_PARTS" "$LPIPS/.ready"; }
install_lpips() {
    rm -rf "$LPIPS"
    # shellcheck disable=SC2086
    timeout 600 $PIP install --quiet --no-deps --require-hashes --only-binary :all: --target "$LPIPS" "$@" \
        -r "$LPIPS_PARTS" 2>"$LPIPS.log" && cp "$LPIPS_PARTS" "$LPIPS/.ready"
}

if [ -x .venv/bin/python ] && ! has_lpips; then
    install_lpips || install_lpips --extra-index-url https://download.pytorch.org/whl/cpu ||
        say "PyTorch for the CPU and lpips could not be installed into $LPIPS: $(grep ERROR "$LPIPS.log" | tail -n 1)"
fi
has_lpips || say "LPIPS is missing; its tests need PyTorch for the CPU and lpips in $LPIPS"

# From npm: the inspector of the Model Context Protocol, with the Node.js that it needs, which is newer than most systems'
# (0.3 GB); and axe, which holds pages against rules of accessibility.
has_packages() { [ "$(cat "$1/.ready" 2>/dev/null)" = "$2" ]; }
install_packages() {
    if [ -d .venv ] && has npm && ! has_packages "$1" "$2"; then
        rm -rf "$1"
        # shellcheck disable=SC2086
        timeout 600 npm install --prefix "$1" --no-audit --no-fund --loglevel error $2 >/dev/null &&
            echo "$2" >"$1/.ready"
    fi
    has_packages "$1" "$2" || say "these could not be installed into $1: $2"
}
install_packages .venv/inspector "node@22.23.3 @modelcontextprotocol/inspector@2.12.0"
install_packages .venv/axe "axe-core@4.14.1"
