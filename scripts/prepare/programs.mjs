import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { hasPostgresPrograms } from "./postgres.mjs";
import { runWithProgress } from "./progress.mjs";

/**
 * The programs that tests need beside Node and browsers, each with Debian's package. tests/README.md shows the list, and
 * a test compares them.
 * @type {Readonly<Record<string, { readonly what: string, readonly packages: Readonly<Record<string, string>> }>>}
 */
export const PROGRAMS = {
  proxy: {
    what: "The tests behind a proxy",
    packages: { nginx: "nginx-light", openssl: "openssl", logrotate: "logrotate" },
  },
  documents: { what: "The tests of documents", packages: { qpdf: "qpdf", pdftotext: "poppler-utils" } },
  factors: { what: "The tests of authenticator apps", packages: { oathtool: "oathtool" } },
  backups: { what: "The tests of backups", packages: { pg_dump: "postgresql-client", age: "age" } },
  watching: {
    what: "The tests of alarms",
    packages: {
      promtool: "prometheus",
      amtool: "prometheus-alertmanager",
      "prometheus-blackbox-exporter": "prometheus-blackbox-exporter",
      mtail: "mtail",
      // Brings rsyslog with it.
      rsyslogd: "rsyslog-gnutls",
    },
  },
  textBrowsers: {
    what: "The journeys in text browsers",
    packages: { w3m: "w3m", lynx: "lynx", tmux: "tmux" },
  },
  webKit: {
    what: "The journeys in WebKit",
    packages: { WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb" },
  },
};

/**
 * Finds or installs programs.
 * @param {Readonly<Record<string, string>>} packages Debian's packages by the name of the program
 * @returns {Promise<readonly string[]>} the names of the packages that are still missing
 */
export async function missingAfterInstall(packages) {
  const missing = () => Object.keys(packages).filter((program) => onPath(program).length === 0);
  for (const program of missing()) await installDebian(packages[program]);
  return missing().map((program) => packages[program]);
}

/**
 * Finds or installs PostgreSQL's server; the tests start one of their own.
 * @returns {Promise<readonly string[]>} the name of what is still missing
 */
export async function missingForDatabase() {
  if (!hasPostgresPrograms()) await installDebian("postgresql");
  return hasPostgresPrograms() ? [] : ["postgresql (or a server in TEST_DATABASE_URL)"];
}

/**
 * Looks for kubectl, which renders the manifests for Kubernetes. Debian's is too old for them.
 * @returns {readonly string[]} the names of missing programs
 */
export const missingForKubernetes = () => (onPath("kubectl").length > 0 ? [] : ["kubectl 1.27 or later"]);

/**
 * The paths of a program.
 * @param {string} name
 */
export const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));

/** Another apt may hold its lock that long, as on a new cloud machine in its first minutes. */
const LOCKED_MS = 15 * 60_000;
const BETWEEN_TRIES_MS = 5000;

/** On Debian and its relatives, as root only: a test run must not stop to ask for a password. @param {string} name */
export async function installDebian(name) {
  if (process.getuid?.() !== 0 || onPath("apt-get").length === 0) return;
  const install = () =>
    apt(`Installing ${name} (apt-get)`, ["install", "-y", "--no-install-recommends", name]);
  if ((await install()).code === 0) return;
  await apt("Refreshing the list of packages (apt-get update)", ["update"]);
  const { code, output } = await install();
  if (code !== 0) console.error(`  ${output.trimEnd().split("\n").at(-1)}`);
}

/** Runs apt-get, and again as long as another one holds its lock: only `install` can wait for that by itself. */
async function apt(title, args) {
  const end = Date.now() + LOCKED_MS;
  for (;;) {
    const outcome = await runWithProgress(title, "apt-get", args, {
      DEBIAN_FRONTEND: "noninteractive",
      LC_ALL: "C",
    });
    if (!outcome.output.includes("Could not get lock") || Date.now() > end) return outcome;
    await delay(BETWEEN_TRIES_MS);
  }
}
