#!/bin/sh
# Makes the secrets, each in a file of one folder. Existing files stay. Run it again after you have added one of your own.
#
#   deploy/make-secrets.sh              for compose.yaml, in deploy/secrets
#   deploy/make-secrets.sh --systemd    for the units, in /etc/portal/secrets, for root alone. It also writes a drop-in of
#                                       portal@ for each gateway whose secret is there, and commands.env
#   … --sqlite                          with --systemd, for a portal on SQLite: no secrets of PostgreSQL
#
# DATABASE_HOST names PostgreSQL's machine, unless it is compose's or this one.
set -eu
umask 077
systemd='' postgres=yes
for word; do
  case "$word" in
    --systemd) systemd=yes ;;
    --sqlite) postgres='' ;;
    *) echo "make-secrets.sh: unknown option $word" >&2 && exit 2 ;;
  esac
done
# For tests: where /etc is.
root="${ROOT:-}"
if [ "$systemd" ]; then
  secrets="$root/etc/portal/secrets" host="${DATABASE_HOST:-127.0.0.1}"
else
  secrets="$(dirname "$0")/secrets" host="${DATABASE_HOST:-database}"
fi
# Installed on SQLite already: the option needn't be said again, and commands go on knowing their folder.
[ ! -e "$root/etc/systemd/system/portal@.service.d/portal-sqlite.conf" ] || [ ! "$systemd" ] || postgres=''
data_dir="$(grep -s '^DATA_DIR=' "$root/etc/portal/commands.env" || true)"
mkdir -p "$secrets"
make() {
  [ -s "$secrets/$1" ] && return
  printf '%s' "$2" >"$secrets/$1"
  echo "made $secrets/$1"
}
url() { make "$1" "postgres://$2:$(cat "$secrets/$3")@$host:5432/portal"; }
if [ "$postgres" ]; then
  [ "$systemd" ] || make postgres-password "$(openssl rand -hex 24)"
  for role in owner runtime audit backup help-desk; do make "$role-password" "$(openssl rand -hex 24)"; done
  url migration-database-url portal_owner owner-password
  url database-url portal runtime-password
  url audit-database-url portal_audit audit-password
  url backup-database-url portal_backup backup-password
  url help-desk-database-url portal_help_desk help-desk-password
  make help-desk-secrets "$(openssl rand -base64 32)"
fi
make session-secret "$(openssl rand -base64 32)"
make data-keys "1:$(openssl rand -base64 32)"
# HKDF-SHA-256 of the current data key, as "portal backup-key --mac" does it: the service that makes backups gets only this.
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary; }
current="$(cut -d, -f1 "$secrets/data-keys")"
extracted="$(printf '%s' "${current#*:}" | openssl base64 -d -A | hmac "$(printf '%064d' 0)" | od -An -v -tx1 | tr -d ' \n')"
make backup-mac-key "${current%%:*}:$(printf 'portal/backup\001' | hmac "$extracted" | openssl base64 -A)"

if [ ! "$systemd" ]; then
  # Containers read them as other users than the one who made them; the folder itself stays closed to others.
  chmod 644 "$secrets"/*
  for name in sms-token certificate.pem key.pem; do
    [ -s "$secrets/$name" ] || echo "missing: $secrets/$name"
  done
  exit
fi

chmod 600 "$secrets"/*
commands="$root/etc/portal/commands.env" dropins="$root/etc/systemd/system/portal@.service.d"
mkdir -p "$dropins"
echo "# Where root's commands find the secrets: written by make-secrets.sh." >"$commands"
[ ! "$data_dir" ] || echo "$data_dir" >>"$commands"
command() {
  [ ! -s "$secrets/$2" ] || echo "$1_FILE=/etc/portal/secrets/$2" >>"$commands"
}
command SESSION_SECRET session-secret
command DATA_KEYS data-keys
[ ! "$postgres" ] || command DATABASE_URL database-url
[ ! "$postgres" ] || command MIGRATION_DATABASE_URL migration-database-url
# Each sender's secret, for the portals alone: the drop-in, the variable, the file.
senders=''
sender() {
  command "$2" "$3"
  rm -f "$dropins/$1.conf"
  [ -s "$secrets/$3" ] || return 0
  senders=yes
  printf '%s\n' "# Written by make-secrets.sh: $3 is there." '[Service]' \
    "LoadCredential=$3:/etc/portal/secrets/$3" "Environment=$2_FILE=%d/$3" >"$dropins/$1.conf"
}
sender sms-smsapi SMS_SMSAPI_TOKEN sms-token
sender sms-webhook SMS_WEBHOOK_TOKEN sms-webhook-token
sender sms-fallback-smsapi SMS_FALLBACK_SMSAPI_TOKEN sms-fallback-token
sender sms-fallback-webhook SMS_FALLBACK_WEBHOOK_TOKEN sms-fallback-webhook-token
[ "$senders" ] || echo "missing: $secrets/sms-token, or sms-webhook-token"
sender smtp SMTP_URL smtp-url
