#!/bin/sh
# Run by the postgres image when it creates its database.
set -eu
# Only with compose.help-desk.yaml.
[ ! -s /run/secrets/help-desk-password ] ||
  set -- --set=help_desk=portal_help_desk --set=help_desk_password="$(cat /run/secrets/help-desk-password)"
secret() { cat "/run/secrets/$1"; }
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 \
  --set=database="$POSTGRES_DB" \
  --set=owner=portal_owner --set=owner_password="$(secret owner-password)" \
  --set=runtime=portal --set=runtime_password="$(secret runtime-password)" \
  --set=audit=portal_audit --set=audit_password="$(secret audit-password)" \
  --set=backup=portal_backup --set=backup_password="$(secret backup-password)" \
  "$@" --file=/roles.sql
