import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { run } from "./command.mjs";
import { runWithProgress } from "./progress.mjs";
import { Stop } from "./stop.mjs";

/** Debian's build of Chromium without a window: a third faster than the whole browser, but without its settings. */
const HEADLESS_SHELL = "chromium-headless-shell";
const CHROMIUM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const CHROMIUM_ELSEWHERE = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Finds the fastest Chromium that runs, and a whole one, or installs them.
 * @returns {Promise<{ fastest: string, whole: string }>} absolute paths of their executables
 */
export async function requireChromiums() {
  const found = await requireChromium();
  if (process.env.CHROMIUM_PATH) return { fastest: found, whole: (await findWholeChromium()) ?? found };
  const findShell = () => firstThatRuns(onPath(HEADLESS_SHELL));
  if (!(await findShell())) await installDebian(HEADLESS_SHELL);
  return { fastest: (await findShell()) ?? found, whole: found };
}

/**
 * Finds a whole Chromium that runs, or installs one; CHROMIUM_PATH may choose another.
 * @returns {Promise<string>} absolute path of its executable
 */
export async function requireChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (await runs(chosen)) return chosen;
    throw new Stop(`CHROMIUM_PATH=${chosen} is not a working browser.`);
  }
  for (const obtain of [undefined, downloadChromium, () => installDebian("chromium")]) {
    await obtain?.();
    const found = await findWholeChromium();
    if (found) return found;
  }
  throw new Stop("No browser for the tests: install Chromium or Chrome, or set CHROMIUM_PATH to one.");
}

async function findWholeChromium() {
  const { chromium } = await import("@playwright/test");
  return firstThatRuns([...CHROMIUM_NAMES.flatMap(onPath), ...CHROMIUM_ELSEWHERE, chromium.executablePath()]);
}

/**
 * Finds or installs the text browsers and tmux, the terminal they run in.
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForTextBrowsers = () => missingAfterInstall({ w3m: "w3m", lynx: "lynx", tmux: "tmux" });

/**
 * Finds or installs the proxy in front of the portals, openssl for its certificate, and logrotate for its log.
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForTopology = () =>
  missingAfterInstall({ nginx: "nginx-light", openssl: "openssl", logrotate: "logrotate" });

/**
 * Finds or installs PostgreSQL's client, which makes its backups, and age, which opens them without the portal.
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForBackups = () => missingAfterInstall({ pg_dump: "postgresql-client", age: "age" });

/**
 * Finds or installs the programs that the tests of documents read them with.
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForDocuments = () => missingAfterInstall({ qpdf: "qpdf", pdftotext: "poppler-utils" });

/**
 * Finds or installs an authenticator app that isn't ours, whose codes the portal must take.
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForFactors = () => missingAfterInstall({ oathtool: "oathtool" });

/**
 * Looks for kubectl, which renders the manifests for Kubernetes. Debian's is too old for them.
 * @returns {readonly string[]} the names of those missing
 */
export const missingForKubernetes = () => (onPath("kubectl").length > 0 ? [] : ["kubectl 1.27 or later"]);

/**
 * Finds or installs the programs that check the alarms and watch the portal (deploy/prometheus, deploy/mtail).
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForWatching = () =>
  missingAfterInstall({
    promtool: "prometheus",
    amtool: "prometheus-alertmanager",
    "prometheus-blackbox-exporter": "prometheus-blackbox-exporter",
    mtail: "mtail",
    // Brings rsyslog with it.
    rsyslogd: "rsyslog-gnutls",
  });

/**
 * Finds or installs the programs that `npm run attack` uses; Debian's packages have the programs' names. The list of
 * words that ffuf tries comes with dirb.
 * @param {readonly string[]} programs
 * @returns {Promise<readonly string[]>} the names of those still missing
 */
export const missingForAttack = (programs) =>
  missingAfterInstall(
    Object.fromEntries(
      [...programs, ...(programs.includes("ffuf") ? ["dirb"] : [])].map((name) => [name, name]),
    ),
  );

/**
 * Finds or installs Firefox, WebKitGTK's driver, and the virtual screen that the driver needs.
 * @returns {Promise<{ env: NodeJS.ProcessEnv, missing: readonly string[] }>} their paths, and the names of those still
 *   missing
 */
export async function findOtherBrowsers() {
  const firefox = () => firstThatRuns(["firefox-esr", "firefox"].flatMap(onPath));
  if (!(await firefox())) await installDebian("firefox-esr");
  const found = await firefox();
  const missing = await missingAfterInstall({ WebKitWebDriver: "webkit2gtk-driver", Xvfb: "xvfb" });
  const webKit = missing.length === 0 ? onPath("WebKitWebDriver")[0] : "";
  return {
    env: { FIREFOX_PATH: found ?? "", WEBKIT_DRIVER_PATH: webKit },
    missing: found ? missing : ["firefox-esr", ...missing],
  };
}

/** @param {Readonly<Record<string, string>>} packages by the name of the program */
async function missingAfterInstall(packages) {
  const missing = () => Object.keys(packages).filter((program) => onPath(program).length === 0);
  for (const program of missing()) await installDebian(packages[program]);
  return missing().map((program) => packages[program]);
}

async function downloadChromium() {
  const args = ["node_modules/@playwright/test/cli.js", "install", "chromium"];
  await runWithProgress("Downloading a browser for the tests (Playwright)", process.execPath, args);
}

/** Another apt may hold its lock that long, as on a new cloud machine in its first minutes. */
const LOCKED_MS = 15 * 60_000;
const BETWEEN_TRIES_MS = 5000;

/** On Debian and its relatives, as root only: a test run must not stop to ask for a password. */
async function installDebian(name) {
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

const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path));

async function firstThatRuns(paths) {
  for (const path of paths) if (existsSync(path) && (await runs(path))) return path;
  return undefined;
}

/** Ubuntu's `chromium-browser` may be a stub that only points to a snap, so the file alone proves nothing. */
const runs = async (path) => (await run(path, ["--version"], { capture: true })).code === 0;
