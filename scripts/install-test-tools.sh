#!/bin/sh
# Installs what the tests and `make demo` use beside npm packages, when it is missing and when this user may: etcd, load balancers, a browser,
# and the distribution's kubectl, Prometheus and nginx (unpacked under .tools/, so that another kubectl on the machine stays as it
# is, and no service is started).
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
tools=$root/.tools

missing=
command -v etcd >/dev/null 2>&1 || missing="$missing etcd-server"
command -v etcdctl >/dev/null 2>&1 || missing="$missing etcd-client"
command -v wget >/dev/null 2>&1 || missing="$missing wget"
command -v haproxy >/dev/null 2>&1 || missing="$missing haproxy"
command -v chromium >/dev/null 2>&1 || missing="$missing chromium"
command -v strace >/dev/null 2>&1 || missing="$missing strace"
unpacked=
[ -x "$tools/kubectl" ] || unpacked="$unpacked kubernetes-client"
[ -x "$tools/promtool" ] && [ -x "$tools/prometheus" ] || unpacked="$unpacked prometheus"
[ -x "$tools/nginx" ] || unpacked="$unpacked nginx"
[ -f "$tools/ngx_stream_module.so" ] || unpacked="$unpacked libnginx-mod-stream"

[ -z "$missing$unpacked" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  echo "tests: no apt-get here; suites that need$missing$unpacked are skipped" >&2
  exit 0
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
  else
    echo "tests: not allowed to install$missing$unpacked; suites that need them are skipped" >&2
    exit 0
  fi
fi

# Said before anything is changed.
[ -z "$missing" ] || echo "installing on this machine, with apt-get:$missing" >&2
[ -z "$unpacked" ] || echo "unpacking from the distribution's packages into $tools, without installing:$unpacked" >&2
$as_root apt-get update -qq >/dev/null 2>&1 || echo "tests: apt-get update failed; trying with the present lists" >&2
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    echo "tests: could not install$missing; suites that need them are skipped" >&2
fi
for package in $unpacked; do
  case $package in
  prometheus) programs="usr/bin/prometheus usr/bin/promtool" ;;
  nginx) programs=usr/sbin/nginx ;;
  libnginx-mod-stream) programs=usr/lib/nginx/modules/ngx_stream_module.so ;;
  *) programs=usr/bin/kubectl ;;
  esac
  work=$(mktemp -d)
  if (cd "$work" && apt-get download "$package" >/dev/null 2>&1 && dpkg -x ./*.deb x); then
    mkdir -p "$tools"
    for program in $programs; do cp "$work/x/$program" "$tools/$(basename "$program")"; done
  else
    echo "tests: could not fetch $package from the distribution; suites that need it are skipped" >&2
  fi
  rm -rf "$work"
done
exit 0
