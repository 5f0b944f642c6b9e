#!/bin/sh
# Installs what the tests use beside npm packages, when it is missing and when this user may: etcd, a load balancer,
# and the distribution's kubectl (unpacked under .tools/, so that another kubectl on the machine stays as it is).
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
tools=$root/.tools

missing=
command -v etcd >/dev/null 2>&1 || missing="$missing etcd-server"
command -v haproxy >/dev/null 2>&1 || missing="$missing haproxy"
need_kubectl=
[ -x "$tools/kubectl" ] || need_kubectl=1

[ -z "$missing$need_kubectl" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "tests: no apt-get here; suites that need$missing${need_kubectl:+ kubectl} are skipped" >&2
  exit 0
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
  else
    echo "tests: not allowed to install$missing${need_kubectl:+ kubectl}; suites that need them are skipped" >&2
    exit 0
  fi
fi

echo "tests: fetching$missing${need_kubectl:+ kubectl} from the distribution's packages" >&2
$as_root apt-get update -qq >/dev/null 2>&1 || echo "tests: apt-get update failed; trying with the present lists" >&2
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    echo "tests: could not install$missing; suites that need them are skipped" >&2
fi
if [ -n "$need_kubectl" ]; then
  work=$(mktemp -d)
  if (cd "$work" && apt-get download kubernetes-client >/dev/null 2>&1 && dpkg -x ./*.deb x); then
    mkdir -p "$tools"
    cp "$work"/x/usr/bin/kubectl "$tools/kubectl"
  else
    echo "tests: could not fetch the distribution's kubectl; its suite runs on the other ones found" >&2
  fi
  rm -rf "$work"
fi
exit 0
