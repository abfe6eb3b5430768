import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ask } from "../http-request";
import { makeCertificate } from "./certificate";

const DEPLOY = fileURLToPath(new URL("../../deploy/nginx/", import.meta.url));
const START_MS = 10_000;
const BETWEEN_TRIES_MS = 20;
/** How often a portal may fail before nginx leaves it alone, and for how long. */
const HEALTH = "max_fails=1 fail_timeout=1s";

/** Whether there is one. `npm test` installs it, where it may; it says so loudly where it may not. */
export const HAS_NGINX = (process.env["PATH"] ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "nginx")));

/** An nginx of its own, on two ports of 127.0.0.1. */
export interface Nginx {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The file with its line for each request. */
  readonly accessLog: string;
  /** The file with what it complains of. */
  readonly errorLog: string;
  readonly stop: () => Promise<void>;
}

/** What stands before and behind it. */
export interface NginxOptions {
  /** An empty folder for everything that it writes. */
  readonly folder: string;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** Ports of the portals on 127.0.0.1. */
  readonly portals: readonly number[];
}

/**
 * Runs nginx with the template that operators use (deploy/nginx), on other ports and in a folder of its own.
 * @throws Error with what nginx says, when there is none or it refuses the configuration
 */
export async function startNginx({ folder, httpsPort, httpPort, portals }: NginxOptions): Promise<Nginx> {
  const { certificate, key } = await makeCertificate(folder);
  await mkdir(join(folder, "cache"));
  const [accessLog, errorLog] = [join(folder, "access.log"), join(folder, "error.log")];
  const site = await fillIn(join(DEPLOY, "portal.conf.template"), {
    PORTAL_SERVERS: portals.map((port) => `server 127.0.0.1:${port} ${HEALTH};`).join(" "),
    PUBLIC_ORIGIN: `https://127.0.0.1:${httpsPort}`,
    LISTEN_HTTP: `127.0.0.1:${httpPort}`,
    LISTEN_HTTPS: `127.0.0.1:${httpsPort}`,
    TLS_CERTIFICATE: certificate,
    TLS_KEY: key,
    CACHE_FOLDER: join(folder, "cache"),
    PAGES_FOLDER: join(DEPLOY, "pages"),
    ACCESS_LOG: accessLog,
  });
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
  const started = await Promise.race([answers(httpPort), ended]);
  if (started !== "answers") {
    const said = await readFile(errorLog, "utf8").catch(() => "");
    throw new Error(`nginx did not start: ${started}\n${said}`);
  }
  return {
    httpsPort,
    httpPort,
    accessLog,
    errorLog,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      process.off("exit", kill);
    },
  };
}

/** As envsubst does it: the names that are given, and no others, since nginx has variables of its own. */
async function fillIn(path: string, values: Readonly<Record<string, string>>): Promise<string> {
  const template = await readFile(path, "utf8");
  return template.replace(/\$\{([A-Z_]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** What comes with nginx elsewhere: the frame around the site. */
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

async function answers(port: number): Promise<"answers"> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const answer = await ask({ port, path: "/", headers: { Host: "127.0.0.1" } }).catch(() => undefined);
    if (answer !== undefined || Date.now() > deadline) return "answers";
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
  }
}
