#!/bin/sh
# no-5xx.sh ACCESS_LOG: the one check after every scanner. nginx' access log ("nginx writes:" of `npm run topology`) may hold no
# 5xx; a 503 is by design during a flood, and nowhere else.
set -eu
[ -s "$1" ] || { echo "no-5xx.sh: $1 is empty: the scanner never got through" >&2; exit 2; }
if grep -E '"status": ?5[0-9][0-9]' "$1"; then echo "✗ server errors above"; exit 1; fi
echo "✓ $(wc -l <"$1") requests, no 5xx"
