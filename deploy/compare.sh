#!/bin/sh
# Compares this folder with what is installed on this machine with systemd: deploy/compare.sh, as root. It changes nothing.
# A line for each file that another release left behind, with the command that copies it; 1 if there is one. Files of
# parts that you don't use are not missed. With containers and Kubernetes the folder itself is used: compare Prometheus' part.
set -eu
cd "$(dirname "$0")"
# For tests: where /etc is.
root="${ROOT:-}"
found=''
say() {
  found=yes
  echo "$1"
}
# A file that is copied as it is.
same() {
  [ ! -e "$root$2" ] || cmp -s "$1" "$root$2" || say "differs: $2   cp deploy/$1 $2"
}
# A file with values of your own, in the lines that match $3. All other lines are compared.
filled() {
  [ ! -e "$root$2" ] || awk -v own="$3" 'NR == FNR { expected[n = FNR] = $0; next }
    expected[FNR] !~ own && expected[FNR] != $0 { differs = 1 } END { exit differs || FNR != n }' "$1" "$root$2" ||
    say "differs: $2   fill in deploy/$1 again"
}

for unit in systemd/*.service systemd/*.timer; do
  same "$unit" "/etc/systemd/system/${unit#systemd/}"
done
sqlite=''
[ ! -e "$root/etc/systemd/system/portal@.service.d/portal-sqlite.conf" ] || sqlite=yes
for service in portal@ ${sqlite:-portal-migrate portal-audit portal-purge}; do
  [ "$service" = yes ] || [ -e "$root/etc/systemd/system/$service.service" ] ||
    say "missing: /etc/systemd/system/$service.service   cp deploy/systemd/$service.service /etc/systemd/system/"
done
# What hardens the units.
for units in portal- portal@; do
  ls "$root/etc/systemd/system/$units"*.service >/dev/null 2>&1 || continue
  folder="/etc/systemd/system/$units.service.d"
  cmp -s systemd/portal-hardening.conf "$root$folder/portal-hardening.conf" ||
    say "missing: $folder/portal-hardening.conf   install -D -m 0644 -t $folder deploy/systemd/portal-hardening.conf"
done
same systemd/journald@portal.conf /etc/systemd/journald@portal.conf
same systemd/portal-sqlite.conf /etc/systemd/system/portal@.service.d/portal-sqlite.conf
filled systemd/portal-backup-sqlite.conf /etc/systemd/system/portal-backup.service.d/portal-backup-sqlite.conf 'private/portal-'
same logrotate/portal /etc/logrotate.d/portal
same logrotate/portal-siem /etc/logrotate.d/portal-siem
filled rsyslog/portal-siem.conf /etc/rsyslog.d/portal-siem.conf 'Target=|Port=|PermittedPeers=|CAFile='
same mtail/portal-nginx.mtail /etc/mtail/portal-nginx.mtail
filled nginx/portal.conf.template /etc/nginx/conf.d/portal.conf '[$]{'
filled nginx/help-desk.conf.template /etc/nginx/conf.d/help-desk.conf '[$]{'
pages="$(sed -n '/_nginx/,$ s/^ *root \(.*\);$/\1/p' "$root/etc/nginx/conf.d/portal.conf" 2>/dev/null | head -1)"
[ ! -d "$root$pages/_nginx" ] || diff -rq nginx/pages "$root$pages" >/dev/null ||
  say "differs: $pages   cp -r deploy/nginx/pages/. $pages/"
same prometheus/blackbox.yml /etc/prometheus/blackbox.yml
if [ -d "$root/etc/prometheus/alarms" ]; then
  for alarms in prometheus/alarms/*.yml; do
    cmp -s "$alarms" "$root/etc/prometheus/alarms/${alarms##*/}" ||
      say "differs: /etc/prometheus/alarms/${alarms##*/}   cp deploy/$alarms /etc/prometheus/alarms/ (put your own thresholds in again)"
  done
  for job in $(sed -n 's/^ *- job_name: //p' prometheus/prometheus.yml); do
    grep -q "job_name: $job\$" "$root/etc/prometheus/prometheus.yml" ||
      say "missing: the job $job in /etc/prometheus/prometheus.yml   see deploy/prometheus/prometheus.yml"
  done
fi

# The secrets that the installed units load.
for unit in "$root"/etc/systemd/system/portal*.service "$root"/etc/systemd/system/portal*.service.d/*.conf; do
  [ -e "$unit" ] || continue
  # Copied with the others, and used only with its settings.
  [ "${unit##*/}" != portal-help-desk.service ] || grep -qs ^HELP_DESK_ORIGIN= "$root/etc/portal/portal.env" || continue
  for secret in $(sed -n 's/^LoadCredential=[^:]*://p' "$unit"); do
    # On SQLite drop-ins take these away again, and units of PostgreSQL alone don't run.
    case "$sqlite${secret##*/}" in yes*database-url) continue ;; esac
    [ -s "$root$secret" ] ||
      say "missing: $secret, for ${unit#"$root"}   deploy/make-secrets.sh --systemd"
  done
done
# Files of settings that no unit reads any more.
for file in portal-migrate.env portal-audit.env portal-backup.env help-desk.env; do
  [ ! -e "$root/etc/portal/$file" ] ||
    say "left over: /etc/portal/$file   move its lines to /etc/portal/portal.env, and delete it"
done
[ ! "$found" ] || exit 1
echo "What is installed is of this release. Grafana's dashboard can't be seen from here: import deploy/grafana/portal.json again."
