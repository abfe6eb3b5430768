#!/bin/sh
# nmap.sh TLS_PORT HTTP_PORT ACCESS_LOG: nmap's scripts for HTTP and TLS on both ports of nginx. Debian: nmap. The self-signed
# certificate is the topology's own.
set -eu
nmap -Pn -n -sT -sV -p "$1,$2" --script-timeout 144s --script-args http.useragent=Mozilla/5.0,http-enum.displayall=false \
  --script "http-methods,http-trace,http-headers,http-errors,http-security-headers,http-cookie-flags,http-stored-xss,http-shellshock,http-git,http-cors,http-internal-ip-disclosure,http-enum,http-slowloris-check,http-sql-injection,ssl-enum-ciphers,ssl-cert,ssl-poodle,ssl-heartbleed,ssl-ccs-injection,ssl-dh-params,ssl-known-key,tls-ticketbleed" \
  127.0.0.1
exec "$(dirname "$0")/no-5xx.sh" "$3"
