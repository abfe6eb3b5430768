#!/bin/sh
# slowhttptest.sh ORIGIN PORT: slow heads, bodies and readers on 600 connections, while a visitor with another address loads the
# sign-in page ten times a second. Debian: slowhttptest. Every visit has to succeed, within a second on an idle machine.
set -eu
visits=$(mktemp)
trap 'rm -f "$visits"' EXIT
flood() {
  mkfifo "$visits.in"
  node "$(dirname "$0")/prober.mjs" "$port" tls "$host" 127.0.0.2 <"$visits.in" >>"$visits" &
  exec 3>"$visits.in"
  slowhttptest -c 600 -r 200 -l 30 -p 5 -u "$1" $2 >/dev/null || true
  exec 3>&-
  wait
  rm -f "$visits.in"
}
port=$2 host=${1#https://}
flood "$1/home" "-H -i 3"
flood "$1/home?index" "-B -i 3 -s 8192"
flood "$1/home" "-X -k 3 -n 2 -w 1 -y 16"
if grep '"failure"' "$visits"; then echo "✗ visits failed, above"; exit 1; fi
echo "✓ $(wc -l <"$visits") visits beside it, the slowest $(sed 's/.*"ms":\([0-9]*\).*/\1/' "$visits" | sort -n | tail -1) ms"
