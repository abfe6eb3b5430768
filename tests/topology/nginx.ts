import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ask } from "../http-request";
import { isInstalled } from "../installed";
import { makeCertificate } from "./certificate";

const DEPLOY = fileURLToPath(new URL("../../deploy/nginx/", import.meta.url));
const START_MS = 300_000;
const BETWEEN_TRIES_MS = 20;
/** How many failures make nginx avoid a portal, and for how long. */
const HEALTH = "max_fails=1 fail_timeout=1s";

/** Whether nginx is installed. `npm test` installs it if it may, and otherwise says loudly that it is missing. */
export const HAS_NGINX = isInstalled("nginx");

/** Whether this machine has IPv6. */
export const HAS_IPV6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

/** A running nginx, on two ports of 127.0.0.1. */
export interface Nginx {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The path of its certificate. */
  readonly certificate: string;
  /** The path of its access log. */
  readonly accessLog: string;
  /** The path of its error log. */
  readonly errorLog: string;
  /** The path of the socket on which it says that it is alive. */
  readonly healthSocket: string;
  /** The process that reads the configuration and opens the logs. */
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** How many requests of one client nginx lets through. */
export interface RequestRate {
  readonly perSecond: number;
  /** How many may come in the same moment. */
  readonly atOnce: number;
}

/** The address that its own rules deny, as an operator's would. */
export const DENIED = "127.0.0.66";

/** More than any test sends: all tests come from one address. */
const UNLIMITED: RequestRate = { perSecond: 10_000, atOnce: 10_000 };

/** The folder and ports of nginx, and the portals that it forwards to. */
export interface NginxOptions {
  /** An empty folder for everything it writes. */
  readonly folder: string;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The portals' ports on 127.0.0.1. */
  readonly portals: readonly number[];
  /** Default: more than any test sends. */
  readonly requestRate?: RequestRate | undefined;
}

/**
 * Runs nginx with the template that operators use (deploy/nginx), on other ports and in its own folder.
 * @throws Error with nginx's output if it is missing or refuses the configuration
 */
export async function startNginx({
  folder,
  httpsPort,
  httpPort,
  portals,
  requestRate: rate = UNLIMITED,
}: NginxOptions): Promise<Nginx> {
  const { certificate, key } = await makeCertificate(folder);
  await mkdir(join(folder, "cache"));
  const [accessLog, errorLog] = [join(folder, "access.log"), join(folder, "error.log")];
  const healthSocket = join(folder, "health.sock");
  const site = await fillIn(join(DEPLOY, "portal.conf.template"), {
    PORTAL_SERVERS: portals.map((port) => `server 127.0.0.1:${port} ${HEALTH};`).join(" "),
    PUBLIC_ORIGIN: `https://127.0.0.1:${httpsPort}`,
    BRAND_PHONES: "22 000 00 00, 800 000 000",
    BRAND_COLOR_PRIMARY: "#7A1FA2",
    BRAND_COLOR_DARK: "",
    BRAND_COLOR_ACCENT: "",
    LISTEN_HTTP: `127.0.0.1:${httpPort}`,
    LISTEN_HTTPS: `127.0.0.1:${httpsPort}`,
    LISTEN_HTTP_IPV6: HAS_IPV6 ? `[::1]:${httpPort}` : `unix:${join(folder, "http.sock")}`,
    LISTEN_HTTPS_IPV6: HAS_IPV6 ? `[::1]:${httpsPort}` : `unix:${join(folder, "https.sock")}`,
    LISTEN_HEALTH: `unix:${healthSocket}`,
    CLIENT_REQUESTS_PER_SECOND: String(rate.perSecond),
    CLIENT_REQUESTS_AT_ONCE: String(rate.atOnce),
    TLS_CERTIFICATE: certificate,
    TLS_KEY: key,
    CACHE_FOLDER: join(folder, "cache"),
    PAGES_FOLDER: join(DEPLOY, "pages"),
    ACCESS_LOG: accessLog,
  });
  await mkdir(join(folder, "portal.d"));
  await writeFile(join(folder, "portal.d", "deny.conf"), `deny ${DENIED};\n`);
  const { pid, stop } = await run(folder, errorLog, site, () => answers(httpPort));
  return { httpsPort, httpPort, certificate, accessLog, errorLog, healthSocket, pid, stop };
}

/** Runs nginx with the help desk's template in an empty folder, in front of a help desk on a port of this machine. */
export async function startHelpDeskNginx(
  folder: string,
  httpsPort: number,
  helpDesk: number,
): Promise<Pick<Nginx, "accessLog" | "errorLog" | "stop">> {
  const { certificate, key } = await makeCertificate(folder);
  const [accessLog, errorLog] = [join(folder, "access.log"), join(folder, "error.log")];
  const site = await fillIn(join(DEPLOY, "help-desk.conf.template"), {
    HELP_DESK_SERVER: `127.0.0.1:${helpDesk}`,
    HELP_DESK_LISTEN: `127.0.0.1:${httpsPort}`,
    HELP_DESK_ALLOW: "allow 127.0.0.1; deny all;",
    HELP_DESK_TLS_CERTIFICATE: certificate,
    HELP_DESK_TLS_KEY: key,
    ACCESS_LOG: accessLog,
  });
  const { stop } = await run(folder, errorLog, site, () => answers(httpsPort, true));
  return { accessLog, errorLog, stop };
}

/** Runs nginx with one site, until it answers. */
async function run(folder: string, errorLog: string, site: string, answering: () => Promise<"answers">) {
  await writeFile(join(folder, "portal.conf"), site);
  await writeFile(join(folder, "nginx.conf"), MAIN);
  const child = spawn("nginx", ["-p", folder, "-e", errorLog, "-c", "nginx.conf"], { stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<string>((resolve) => {
    child.once("error", ({ message }) => {
      resolve(message);
    });
    child.once("exit", (code) => {
      resolve(`exit code ${code}`);
    });
  });
  const started = await Promise.race([answering(), ended]);
  if (started !== "answers") {
    const said = await readFile(errorLog, "utf8").catch(() => "");
    throw new Error(`nginx did not start: ${started}\n${said}`);
  }
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      process.off("exit", kill);
    },
  };
}

/** Fills in only the given names, as envsubst does, since nginx has its own variables. */
async function fillIn(path: string, values: Readonly<Record<string, string>>): Promise<string> {
  const template = await readFile(path, "utf8");
  return template.replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The main configuration. An installed nginx has its own. */
const MAIN = `
daemon off;
pid nginx.pid;
worker_processes 1;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  types { text/html html; application/json json; }
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include portal.conf;
}
`;

async function answers(port: number, secure = false): Promise<"answers"> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const answer = await ask({ port, secure, path: "/", headers: { Host: "127.0.0.1" } }).catch(
      () => undefined,
    );
    if (answer !== undefined || Date.now() > deadline) return "answers";
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
  }
}
