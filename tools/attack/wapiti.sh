#!/bin/sh
# wapiti.sh ORIGIN ACCESS_LOG [COOKIE]: a crawl with attacks on each form it finds, signed out or with a customer's cookies.
# Debian: wapiti. Its modules load lists from elsewhere, so its proxy is a closed port. Not `csrf`: it looks for a token, and
# writes are protected by Origin and SameSite (S49).
set -eu
http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 no_proxy=127.0.0.1 wapiti -u "$1/home" --scope folder --verify-ssl 0 \
  -m xss,sql,blindsql,permanentxss,redirect,crlf,exec,file,http_headers,cookieflags,csp,methods,shellshock,ssrf,xxe \
  --flush-session -t 10 -v 1 --max-scan-time 240 --max-attack-time 60 --no-bugreport \
  -H "Accept-Encoding: identity" -H "Cookie: accepted-cookies=true; ${3-}" -f txt -o /dev/stdout
exec "$(dirname "$0")/no-5xx.sh" "$2"
