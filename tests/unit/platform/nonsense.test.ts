import { describe, expect, it } from "vitest";
import { HELP_DESK_SCOPE } from "~/platform/config/command-needs.server";
import { helpDeskVariables } from "~/platform/config/help-desk-variables.server";
import { readEnvironment, VARIABLE_GROUPS } from "~/platform/config/environment.server";

/** Meaningless values for each variable. A new variable needs some, too. */
const NONSENSE: Readonly<Record<string, readonly string[]>> = {
  PORTAL_MODE: ["kanarek", "PRODUCTION", "Demo", "demo "],
  HOST: ["kanarek host", "http://127.0.0.1", "::g"],
  PORT: ["kanarek", "0", "65536", "3000.5", "-1", "3000kanarek", "3e3", " 3000", "0x50", "/kanarek.sock"],
  METRICS_PORT: ["kanarek", "0", "65536"],
  METRICS_HOST: ["kanarek host", "127.0.0.1:9090"],
  // Any text can name a folder; an unusable one is refused when it is opened (unit/backend/store/data-directory.test.ts).
  DATA_DIR: [],
  FACTORS: ["sms", "app;passkey", "on"],
  AUDIT_ARCHIVE_DIR: [],
  PUBLIC_ORIGIN: [
    "kanarek.example",
    "*",
    "https://kanarek.example/home",
    "https://kanarek:pass@portal.example",
    "https://KANAREK.example",
    "https://kanarek.example:443",
    "ftp://kanarek.example",
  ],
  BACKEND_URL: [
    "kanarek.example:3000",
    "https://kanarek.example/v1",
    "https://kanarek:secret@backend.example",
    "file:///etc/kanarek",
  ],
  // The file may come and go while a portal serves (serving/announcement-file.test.ts).
  ANNOUNCEMENT_FILE: [],
  // Set by sudo, and read as an operator's name (unit/operators/account/operator.test.ts).
  SUDO_USER: [],
  PASSKEY_RP_ID: ["kanarek.", "https://kanarek.example", "Kanarek.example", "192.0.2.1"],
  PORTAL_OPERATOR_FROM: ["kanarek", "SUDO", "on"],
  BACKEND_HOSTS: ["kanarek host", "https://kanarek.example", "kanarek.example/path"],
  TRUSTED_PROXIES: ["kanarek", "999.1.1.1", "10.0.0.0/", "10.0.0.0/99", "10.0.0.0/8/8", "*"],
  LOG_LEVEL: ["kanarek", "INFO"],
  NOTIFY_SOCKET: ["kanarek"],
  WATCHDOG_USEC: ["kanarek", "0", "1.5"],
  SESSION_SECRET: ["kanarek", "changeme-changeme-changeme-changeme", ","],
  DATA_KEYS: ["kanarek", `1:${"A".repeat(43)}=`, ","],
  DATABASE_URL: ["kanarek", "mysql://kanarek@127.0.0.1/portal", "postgres://127.0.0.1"],
  MIGRATION_DATABASE_URL: ["kanarek", "postgres://kanarek@127.0.0.1/portal?sslmode=disable"],
  AUDIT_DATABASE_ROLE: ["Kanarek", "kanarek; drop table accounts"],
  AUDIT_KEEP_MONTHS: ["kanarek", "0", "1201"],
  DATABASE_POOL: ["kanarek", "0", "1001"],
  DATABASE_TLS: ["kanarek", "true"],
  DATABASE_CA_FILE: ["/nowhere/kanarek.pem", "package.json"],
  BACKUP_DIR: [],
  BACKUP_RECIPIENTS: ["kanarek", "age1kanarek", ","],
  BACKUP_MAC_KEY: ["kanarek", `1:${"A".repeat(43)}=`, "0:kanarek"],
  BACKUP_KEEP_DAYS: ["kanarek", "0", "3651"],
  BRAND_NAME: [" ", "kanarek".repeat(10)],
  BRAND_LOGO: ["/nowhere/kanarek.svg", "package.json"],
  BRAND_PHONES: ["kanarek", "22 100 20 30", "22 100 20 30,kanarek"],
  BRAND_HOURS: ["kanarek", "18-9", "9-25", "9:00-18:00"],
  BRAND_EMAIL: ["kanarek", "kanarek@"],
  BRAND_ACCESSIBILITY_EMAIL: ["kanarek", "kanarek@"],
  BRAND_ACCESSIBILITY_COMPLAINT: ["kanarek".repeat(101)],
  EXPECTED_JOBS: ["kanarek", "backup;import"],
  BRAND_CLAIMS_PHONE: ["kanarek", "22 100 20 30, 22 100 20 31"],
  BRAND_CLAIMS_URL: [
    "kanarek",
    "http://kanarek.example",
    "javascript:alert(1)//kanarek",
    "/documents/regulamin-portalu.pdf",
  ],
  BRAND_CLAIMS_HOURS: ["kanarek", "18-9", "9-25"],
  BRAND_ASSISTANCE_PHONE: ["kanarek", "22 100 20 30, 22 100 20 31", "tel:221002030"],
  BRAND_RENEWAL_URL: ["kanarek", "http://kanarek.example", "javascript:alert(1)//kanarek"],
  BRAND_PAYMENT_URL: [
    "kanarek",
    "http://kanarek.example",
    "javascript:alert(1)//kanarek",
    "https://kanarek.example/{policyNo}",
    "https://kanarek.example/?who={pid}",
  ],
  BRAND_PAYMENT_RECIPIENT: [" ", "kanarek|kanarek", "kanarek".repeat(11)],
  BRAND_PAYMENT_NIP: ["kanarek", "9512345676", "951-234-56-75"],
  BRAND_TERMS: [
    "kanarek",
    "/documents/kanarek.pdf",
    "/../kanarek.json",
    "http://kanarek.example",
    "//kanarek.example/x.pdf",
    "javascript:alert(1)//kanarek",
  ],
  BRAND_COOKIES: ["kanarek"],
  BRAND_PRIVACY: ["kanarek"],
  BRAND_SECURITY_CONTACT: ["kanarek", "http://kanarek.example", "mailto:kanarek"],
  BRAND_COLOR_PRIMARY: ["kanarek", "#FFFFFF", "#6DBCBE"],
  BRAND_COLOR_DARK: ["kanarek", "#FFFFFF"],
  BRAND_COLOR_ACCENT: ["kanarek", "#000000", "#552200"],
  BRAND_COLOR_INK: ["kanarek", "#14"],
  SMTP_URL: [
    "kanarek",
    "https://kanarek.example",
    "smtps://kanarek@mail.example",
    "smtp://mail.example/kanarek",
  ],
  SMTP_FROM: ["kanarek", "kanarek@", "Kanarek <kanarek@mail.example>"],
  SMTP_CA_FILE: ["/kanarek.pem", "package.json"],
  SMS_GATEWAY: ["kanarek", "SMSAPI"],
  SMS_SMSAPI_TOKEN: ["kanarek", "changeme-changeme"],
  SMS_SENDER: ["kanarek-kanarek", "Kanárek"],
  SMS_SMSAPI_URL: ["kanarek", "http://kanarek.example/sms.do"],
  SMS_WEBHOOK_URL: [
    "kanarek",
    "http://kanarek.example/",
    "http://127.0.0.1.kanarek.example",
    "https://kanarek:secret@sms.example",
    "ftp://127.0.0.1/kanarek",
  ],
  SMS_WEBHOOK_TOKEN: [
    "kanarek",
    "kanarek kanarek kanarek",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
    "kanarek\r\nX-Evil: header-of-mine",
  ],
  SMS_FALLBACK_GATEWAY: ["kanarek", "outbox"],
  SMS_FALLBACK_SMSAPI_TOKEN: ["kanarek", "changeme-changeme"],
  SMS_FALLBACK_SENDER: ["kanarek-kanarek", "Kanárek"],
  SMS_FALLBACK_SMSAPI_URL: ["kanarek", "http://kanarek.example/sms.do"],
  SMS_FALLBACK_WEBHOOK_URL: ["kanarek", "http://kanarek.example/"],
  SMS_FALLBACK_WEBHOOK_TOKEN: ["kanarek", "kanarek kanarek kanarek", "aaaaaaaaaaaaaaaaaaaaaaaa"],
  SMS_PREFIXES: ["kanarek", "48", ","],
  SMS_NOTICES: ["kanarek", "ON", "true"],
  SMS_DOMAIN_BOUND: ["kanarek", "OFF", "false"],
  PASSKEY_SIGN_IN: ["kanarek", "OFF", "false"],
  TRUSTED_DEVICES: ["kanarek", "OFF", "false"],
  HTTPS_PROXY: ["kanarek", "socks5://kanarek:1080"],
  NO_PROXY: [],
  HELP_DESK_ORIGIN: ["kanarek", "https://kanarek.example/help-desk"],
  HELP_DESK_ISSUER: [
    "kanarek",
    "ldap://kanarek.example",
    "https://login.microsoftonline.com/Common/v2.0?kanarek",
    "https://login.microsoftonline.com./organizations/v2.0?kanarek",
    "https://sts.windows.net/consumers?kanarek",
    "https://login.partner.microsoftonline.cn/common/v2.0?kanarek",
    "https://login.microsoftonline.us/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0?kanarek",
    "https://login.microsoftonline.com/{tenantid}/v2.0?kanarek",
  ],
  HELP_DESK_CLIENT_ID: [],
  HELP_DESK_CLIENT_SECRET: [],
  HELP_DESK_ROLES_CLAIM: ["kanarek roles"],
  HELP_DESK_LOOK: ["kanarek look"],
  HELP_DESK_ACT: ["kanarek act"],
  HELP_DESK_NAME_CLAIM: ["kanarek name"],
  HELP_DESK_SECRETS: ["kanarek", "changeme-changeme-changeme-changeme"],
  HELP_DESK_SESSION_MINUTES: ["kanarek", "0", "61"],
  HELP_DESK_IDLE_MINUTES: ["kanarek", "0", "61"],
  HELP_DESK_FRESH_MINUTES: ["kanarek", "0", "61"],
  HELP_DESK_LOOKS_PER_HOUR: ["kanarek", "0"],
  HELP_DESK_APPROVAL: ["kanarek", "ON", "true"],
  HELP_DESK_DATABASE_ROLE: ["kanarek-role", "Kanarek"],
};

const NAMES = Object.values(VARIABLE_GROUPS).flatMap((group) => Object.keys(group));
const CASES = Object.entries(NONSENSE).flatMap(([name, values]) =>
  values.map((value) => [name, value] as const),
);

describe("[S88] nonsense", () => {
  it("is listed for every variable", () => {
    expect(Object.keys(NONSENSE).toSorted()).toEqual(NAMES.toSorted());
  });

  it.each(CASES)(
    "in %s is refused in one line that names it and doesn't repeat the value: %s",
    (name, value) => {
      const reading = readEnvironment(
        { [name]: value },
        name in helpDeskVariables ? HELP_DESK_SCOPE : undefined,
      );
      const problems = reading.ok ? [] : reading.problems;
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: expected [^\n]{3,}$`))]);
      expect(problems.join("\n")).not.toContain("kanarek");
      expect(problems.join("\n")).not.toMatch(/invalid|undefined/i);
    },
  );
});
