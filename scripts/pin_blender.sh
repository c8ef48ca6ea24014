#!/bin/sh
# Write the versions and hashes of `bpy` and its packages into src/redraft/studios/scene/pinned: of the wheels for one
# Python on Linux, macOS and Windows, and no others. Run it for a new version: sh scripts/pin_blender.sh 3.11 5.0.1
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/pyproject.toml" <<PROJECT
[project]
name = "pin"
version = "0"
requires-python = "==$1.*"
dependencies = ["bpy==$2"]
[tool.uv]
no-build = true
package = false
PROJECT
uv lock --quiet --project "$folder"
{
    echo "# sh scripts/pin_blender.sh $1 $2"
    uv export --quiet --frozen --project "$folder" --no-header --no-annotate --no-emit-project --format requirements-txt
} >"$here/src/redraft/studios/scene/pinned/bpy-$2.txt"
