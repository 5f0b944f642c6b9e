#!/bin/sh
# Unpacks the C library of a later Debian below .tools/libc, for programs in C++ that need it, when the one of this machine is older than
# glibc 2.38. Nothing is installed on the machine: such programs start through .tools/libc/ld-linux-x86-64.so.2.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
target=$root/.tools/libc
suite=trixie

[ -x "$target/ld-linux-x86-64.so.2" ] && exit 0
[ "$(uname -sm)" = 'Linux x86_64' ] || exit 0
version=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/.* //')
[ "$(printf '2.38\n%s\n' "${version:-0}" | sort -V | head -n 1)" = 2.38 ] && exit 0
if ! command -v apt-get >/dev/null 2>&1 || ! grep -q '^ID=debian' /etc/os-release; then
  echo "this machine has glibc ${version:-unknown}, and is no Debian from which a later one could be unpacked" >&2
  exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The archive that this machine uses, and its other suite.
archive=$(apt-get indextargets --format '$(SITE) $(REPO_URI)' 'Created-By: Packages' | sed 's/^[^ ]* //' | grep '/debian/*$' | head -n 1)
mkdir -p "$work/lists/partial" "$work/parts"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive $suite main" >"$work/sources.list"
apt="apt-get -qq -o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=$work/parts -o Dir::State::Lists=$work/lists -o APT::Sandbox::User=root"
echo "unpacking the C library of Debian $suite into $target, without installing it" >&2
$apt update
cd "$work"
for package in libc6 libgcc-s1 libstdc++6; do
  $apt download "$package"
done
for file in ./*.deb; do dpkg-deb -x "$file" x; done
mkdir -p "$target"
cp -a x/usr/lib/x86_64-linux-gnu/*.so* "$target/"
