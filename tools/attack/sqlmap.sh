#!/bin/sh
# sqlmap.sh ORIGIN ACCESS_LOG [COOKIE]: injections into every form. With a customer's cookies ("name=value; …", from a browser) into
# those of a session, too. Debian: sqlmap.
set -eu
attack() {
  sqlmap --batch --dbms=PostgreSQL --level=3 --risk=2 --ignore-code=400,401,404,409,422,429 --ignore-redirects --drop-set-cookie \
    --disable-coloring --flush-session --threads=2 --timeout=10 --retries=1 --headers="Origin: $1" \
    --cookie="accepted-cookies=true; ${3-}" -u "$1$4" --data="$5"
}
for form in \
  "/home?index username=a*&password=b*" \
  "/home/register policyNo=POL-100001*&pid=85021400129*" \
  "/home/reset-password-init username=anna.nowak*" \
  "/home/remind-login-init policyNo=POL-100001*" \
  "/home/mfa intent=confirm&authorizationCode=123456*&trustDevice=Y*" \
  "/home/change-password intent=confirm&authorizationCode=123456*&newPassword=a*&newPasswordRepeat=a*" \
  "/home/change-login intent=confirm&authorizationCode=123456*&newUsername=a*&newUsernameRepeat=a*" \
  "/home/create-document-password intent=confirm&authorizationCode=123456*&password=a*&passwordRepeat=a*"; do
  attack "$1" "$2" "${3-}" "${form%% *}" "${form#* }"
done
exec "$(dirname "$0")/no-5xx.sh" "$2"
