import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { built } from "./built";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVER = join("node_modules", "@remix-run", "serve", "dist", "cli.js");
const DEVELOPMENT_SERVER = [join("node_modules", "@remix-run", "dev", "dist", "cli.js"), "vite:dev"];

/** The insurer of the tests' portals in production mode, which don't start without one. It is the demo's. */
const BRAND = {
  BRAND_NAME: "Tarnea Ubezpieczenia",
  BRAND_PHONES: "22 100 20 30, 800 100 200",
  BRAND_TERMS: "/documents/regulamin-portalu.pdf",
  BRAND_COOKIES: "/documents/polityka-cookies.pdf",
  BRAND_PRIVACY: "https://tarnea.example/polityka-prywatnosci",
  BRAND_SECURITY_CONTACT: "mailto:bezpieczenstwo@tarnea.example",
};

/** Keeps documents and attached backends' calls from being late on a busy machine. Tests of lateness set their own. */
export const PATIENT = { LIMIT_PDF_MS: "600000", LIMIT_BACKEND_MS: "300000", LIMIT_HASH_WAIT_MS: "300000" };

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A portal's process. */
export interface PortalProcess {
  readonly pid: number;
  /** Everything it has written so far, to stdout and stderr. */
  readonly log: () => string;
  /** Everything it has written so far, to stderr. */
  readonly errors: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Resolves when it has ended and all its output has been read. */
  readonly ended: Promise<Exit>;
}

/**
 * Runs the built product with remix-serve, as an operator does. Of the tests' own environment it gets only PATH.
 * In production mode it has a brand. `folder`: the release; the repository by default. `output`: a descriptor that both
 * streams go to; then the test reads them there.
 */
export function runPortal(
  env: Readonly<Record<string, string>>,
  folder = ROOT,
  output: number | "pipe" = "pipe",
): PortalProcess {
  const brand = env["PORTAL_MODE"] === "production" ? BRAND : {};
  return runNode(
    [SERVER, built("server", "index.js")],
    { NODE_ENV: "production", ...PATIENT, ...brand, ...env },
    folder,
    output,
  );
}

/** Runs the built help desk, as an operator does. */
export function runHelpDesk(env: Readonly<Record<string, string>>): PortalProcess {
  return runNode([built("help-desk")], { NODE_ENV: "production", ...env }, ROOT);
}

/** Runs the development server of a checkout, as `npm run dev` does. */
export function runDevelopmentServer(folder: string, env: Readonly<Record<string, string>>): PortalProcess {
  return runNode(DEVELOPMENT_SERVER, { NODE_ENV: "development", ...env }, folder);
}

function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
  output: number | "pipe" = "pipe",
): PortalProcess {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", output, output],
  });
  let all = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (all += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    all += text;
    errors += text;
  });
  const ended = new Promise<Exit>((resolve) => {
    child.once("close", (code, signal) => {
      resolve({ code, signal });
    });
  });
  // If the test runner exits, its portals go too.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  void ended.then(() => process.off("exit", kill));
  return {
    pid: child.pid ?? 0,
    log: () => all,
    errors: () => errors,
    signal: (signal) => void child.kill(signal),
    ended,
  };
}
