import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { DEPLOY, installed, runOn } from "./installed";

const SECRETS = "/etc/portal/secrets/";
const secretsIn = (unit: string) =>
  [...unit.matchAll(/^LoadCredential=[^:\n]+:(.*)$/gm)].map(([, path = ""]) => path.replace(SECRETS, ""));

it.each([
  [["sms-token"], { "sms-smsapi": "SMS_SMSAPI_TOKEN" }],
  [["sms-webhook-token"], { "sms-webhook": "SMS_WEBHOOK_TOKEN" }],
  [
    ["sms-webhook-token", "sms-fallback-token", "smtp-url"],
    {
      "sms-webhook": "SMS_WEBHOOK_TOKEN",
      "sms-fallback-smsapi": "SMS_FALLBACK_SMSAPI_TOKEN",
      smtp: "SMTP_URL",
    },
  ],
  [
    ["sms-token", "sms-fallback-webhook-token"],
    { "sms-smsapi": "SMS_SMSAPI_TOKEN", "sms-fallback-webhook": "SMS_FALLBACK_WEBHOOK_TOKEN" },
  ],
])(
  "make-secrets.sh writes a drop-in of the portals for %s alone, and takes back another",
  (own, expected) => {
    const root = installed(own);
    const folder = join(root, "etc/systemd/system/portal@.service.d");
    writeFileSync(join(folder, "sms-fallback-smsapi.conf"), "[Service]\nLoadCredential=gone:/gone\n");
    expect(runOn(root, "make-secrets.sh", "--systemd")).toEqual({ status: 0, said: "" });
    const variables = Object.fromEntries(
      readdirSync(folder).map((name) => {
        const text = readFileSync(join(folder, name), "utf8");
        const [secret = ""] = secretsIn(text);
        const [, variable] = new RegExp(`^Environment=([A-Z_]+)_FILE=%d/${secret}$`, "m").exec(text) ?? [];
        return [name.replace(".conf", ""), variable];
      }),
    );
    expect(variables).toEqual(expected);
    const commands = readFileSync(join(root, "etc/portal/commands.env"), "utf8");
    for (const variable of Object.values(expected))
      expect(commands).toContain(`\n${variable}_FILE=${SECRETS}`);
    for (const secret of readdirSync(join(root, SECRETS)))
      expect(statSync(join(root, SECRETS, secret)).mode & 0o777, secret).toBe(0o600);
  },
);

it("make-secrets.sh says that a gateway's secret is missing, and makes none of PostgreSQL's for SQLite", () => {
  const root = installed([], "--sqlite");
  expect(readdirSync(join(root, SECRETS)).toSorted()).toEqual([
    "backup-mac-key",
    "data-keys",
    "session-secret",
  ]);
  expect(runOn(root, "make-secrets.sh", "--systemd", "--sqlite").said).toMatch(
    /^missing: .*sms-token, or sms-webhook-token\n$/,
  );
  expect(runOn(root, "make-secrets.sh", "--sytemd").status).toBe(2);
});

/** Where docs/operations put the files of deploy that compare.sh looks at. */
const PLACES: Readonly<Record<string, string>> = {
  "systemd/journald@portal.conf": "etc/systemd/journald@portal.conf",
  "logrotate/portal": "etc/logrotate.d/portal",
  "logrotate/portal-siem": "etc/logrotate.d/portal-siem",
  "rsyslog/portal-siem.conf": "etc/rsyslog.d/portal-siem.conf",
  "mtail/portal-nginx.mtail": "etc/mtail/portal-nginx.mtail",
  "nginx/portal.conf.template": "etc/nginx/conf.d/portal.conf",
  "nginx/help-desk.conf.template": "etc/nginx/conf.d/help-desk.conf",
  "nginx/pages": "usr/share/portal-pages",
  "prometheus/blackbox.yml": "etc/prometheus/blackbox.yml",
  "prometheus/prometheus.yml": "etc/prometheus/prometheus.yml",
  "prometheus/alarms": "etc/prometheus/alarms",
};

/** Where the drop-in is that hardens the units. */
const HARDENING = ["portal-", "portal@"].map(
  (units) => `etc/systemd/system/${units}.service.d/portal-hardening.conf`,
);

/** A machine on which all of deploy is installed, with values of its own. */
function machine(): string {
  const root = installed(["sms-token"]);
  cpSync(join(DEPLOY, "systemd/portal.env"), join(root, "etc/portal/portal.env"));
  const units = readdirSync(join(DEPLOY, "systemd")).filter((name) => /\.(?:service|timer)$/.test(name));
  const unitPlaces = units.map((name) => [`systemd/${name}`, `etc/systemd/system/${name}`] as const);
  const hardening = HARDENING.map((to) => ["systemd/portal-hardening.conf", to] as const);
  for (const [from, to] of [...Object.entries(PLACES), ...unitPlaces, ...hardening]) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    cpSync(join(DEPLOY, from), join(root, to), { recursive: true });
  }
  change(root, "etc/nginx/conf.d/portal.conf", (text) =>
    text.replaceAll("${PAGES_FOLDER}", "/usr/share/portal-pages").replaceAll(/\$\{[A-Z_]+\}/g, "own"),
  );
  change(root, "etc/nginx/conf.d/help-desk.conf", (text) => text.replaceAll(/\$\{[A-Z_]+\}/g, "own"));
  change(root, "etc/rsyslog.d/portal-siem.conf", (text) =>
    text.replaceAll("siem.insurer.example", "siem.example"),
  );
  return root;
}

function change(root: string, path: string, change: (text: string) => string): void {
  writeFileSync(join(root, path), change(readFileSync(join(root, path), "utf8")));
}

it("compare.sh finds nothing on a machine of this release, whatever values of its own that has", () => {
  const { status, said } = runOn(machine(), "compare.sh");
  expect([status, said]).toEqual([0, expect.stringMatching(/^What is installed is of this release\./)]);
});

it("compare.sh names each file of another release, and what no longer hardens the units", () => {
  const root = machine();
  const changed = [
    "etc/systemd/system/portal-backup.service",
    "etc/systemd/system/portal-purge.timer",
    "etc/nginx/conf.d/portal.conf",
    "etc/nginx/conf.d/help-desk.conf",
    "etc/prometheus/alarms/data.yml",
    "etc/mtail/portal-nginx.mtail",
    "etc/logrotate.d/portal-siem",
    "etc/rsyslog.d/portal-siem.conf",
  ];
  for (const path of changed) change(root, path, (text) => text.replace("\n", "\n# of another release\n"));
  for (const path of HARDENING) rmSync(join(root, path));
  const { status, said } = runOn(root, "compare.sh");
  expect(status).toBe(1);
  const lines = said.trim().split("\n");
  expect(lines.flatMap((line) => /^differs: \/(\S+) /.exec(line)?.[1] ?? []).toSorted()).toEqual(
    changed.toSorted(),
  );
  expect(lines.filter((line) => !line.startsWith("differs: "))).toEqual(
    HARDENING.map(
      (path) =>
        expect.stringMatching(
          `^missing: /${path}   install -D -m 0644 -t /${dirname(path)} deploy/`,
        ) as string,
    ),
  );
});

it("compare.sh names what is missing or left over, and changes nothing", () => {
  const root = machine();
  writeFileSync(join(root, SECRETS, "backup-mac-key"), "");
  change(root, "etc/portal/portal.env", (text) => text.replace("#HELP_DESK_ORIGIN", "HELP_DESK_ORIGIN"));
  writeFileSync(join(root, "etc/portal/portal-backup.env"), "BACKUP_RECIPIENTS=age1");
  writeFileSync(join(root, "usr/share/portal-pages/_nginx/refused.html"), "");
  change(root, "etc/prometheus/prometheus.yml", (text) => text.replace("job_name: portal-help-desk\n", ""));
  const { status, said } = runOn(root, "compare.sh");
  expect(status).toBe(1);
  expect(said.trim().split("\n")).toEqual([
    expect.stringMatching(/^differs: \/usr\/share\/portal-pages /),
    expect.stringMatching(/^missing: the job portal-help-desk in /),
    expect.stringMatching(/^missing: \/etc\/portal\/secrets\/backup-mac-key, for .*portal-backup\.service /),
    expect.stringMatching(
      /^missing: \/etc\/portal\/secrets\/help-desk-client-secret, for .*portal-help-desk\.service /,
    ),
    expect.stringMatching(/^left over: \/etc\/portal\/portal-backup\.env /),
  ]);
  expect(existsSync(join(root, "etc/portal/portal-backup.env"))).toBe(true);
});
