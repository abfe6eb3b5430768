#!/bin/sh
# Generates the secrets for compose.yaml in deploy/secrets. Existing files stay.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
make() {
  [ -s "secrets/$1" ] && return
  printf '%s' "$2" >"secrets/$1"
  echo "made secrets/$1"
}
make postgres-password "$(openssl rand -hex 24)"
make owner-password "$(openssl rand -hex 24)"
make runtime-password "$(openssl rand -hex 24)"
make audit-password "$(openssl rand -hex 24)"
make backup-password "$(openssl rand -hex 24)"
make help-desk-password "$(openssl rand -hex 24)"
make migration-database-url "postgres://portal_owner:$(cat secrets/owner-password)@database:5432/portal"
make database-url "postgres://portal:$(cat secrets/runtime-password)@database:5432/portal"
make audit-database-url "postgres://portal_audit:$(cat secrets/audit-password)@database:5432/portal"
make backup-database-url "postgres://portal_backup:$(cat secrets/backup-password)@database:5432/portal"
make help-desk-database-url "postgres://portal_help_desk:$(cat secrets/help-desk-password)@database:5432/portal"
make help-desk-secrets "$(openssl rand -base64 32)"
make session-secret "$(openssl rand -base64 32)"
make data-keys "1:$(openssl rand -base64 32)"
# HKDF-SHA-256 of the current data key, as "portal backup-key --mac" does it: the service that makes backups gets only this.
hmac() { openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary; }
current="$(cut -d, -f1 secrets/data-keys)"
extracted="$(printf '%s' "${current#*:}" | openssl base64 -d -A | hmac "$(printf '%064d' 0)" | od -An -v -tx1 | tr -d ' \n')"
make backup-mac-key "${current%%:*}:$(printf 'portal/backup\001' | hmac "$extracted" | openssl base64 -A)"
# Containers read them as other users than the one who made them; the folder itself stays closed to others.
chmod 644 secrets/*
for name in sms-token certificate.pem key.pem; do
  [ -s "secrets/$name" ] || echo "missing: secrets/$name"
done
