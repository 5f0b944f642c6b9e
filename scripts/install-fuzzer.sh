#!/bin/sh
# Installs the fuzzer below .tools/fuzzer, where nothing else of the project sees it, and a C library for it where that of this machine
# is too old.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
fuzzer=$root/.tools/fuzzer
sh "$root/scripts/install-newer-libc.sh"
cmp -s "$root/test/fuzz/package-lock.json" "$fuzzer/installed" && exit 0
mkdir -p "$fuzzer"
cp "$root/test/fuzz/package.json" "$root/test/fuzz/package-lock.json" "$fuzzer/"
(cd "$fuzzer" && npm ci --no-audit --no-fund --loglevel=error)
cp "$fuzzer/package-lock.json" "$fuzzer/installed"
