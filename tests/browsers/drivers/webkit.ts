import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { freePort } from "../../free-port";
import type { Engine, EngineOptions } from "../browser";
import { until } from "../until";
import { webDriverBrowser, WebDriverError, type Commands, type Send } from "./webdriver";

/** The commands' paths below the address of a session. */
const PATHS: Readonly<Record<keyof Commands, readonly ["GET" | "POST", string]>> = {
  Navigate: ["POST", "url"],
  Refresh: ["POST", "refresh"],
  Back: ["POST", "back"],
  GetTitle: ["GET", "title"],
  FindElements: ["POST", "elements"],
  GetActiveElement: ["GET", "element/active"],
  ExecuteScript: ["POST", "execute/sync"],
  IsElementDisplayed: ["GET", "element/{id}/displayed"],
  ElementClick: ["POST", "element/{id}/click"],
  PerformActions: ["POST", "actions"],
  ElementClear: ["POST", "element/{id}/clear"],
  ElementSendKeys: ["POST", "element/{id}/value"],
  GetElementAttribute: ["GET", "element/{id}/attribute/{name}"],
  GetElementProperty: ["GET", "element/{id}/property/{name}"],
};

/** How long a command waits for the page to load. Once in thousands of clicks the driver misses the end of the load. */
const LOAD_MS = 5_000;

/** A command that takes this long was lost between the driver and the browser. */
const COMMAND_MS = 120_000;

/** A browser starts in a second, on a busy machine in ten; one that takes this long never will. */
const START_MS = 120_000;

interface Session {
  readonly sessionId: string;
  readonly capabilities: { readonly browserVersion: string };
}

/** A driver with its only browser. */
interface Driver extends Session {
  readonly ask: Ask;
  readonly stop: () => Promise<void>;
}

/** Starts a virtual display. Each visit is a new WebKitGTK that keeps nothing. */
export async function startWebKit(path: string, { scripts }: EngineOptions): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), "webkit-"));
  const downloads = join(home, "downloads");
  await writeFile(join(home, "user-dirs.dirs"), 'XDG_DOWNLOAD_DIR="$HOME/downloads"\n');
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  const stopScreen = endingWithUs(screen);
  const [display] = (await once(screen.stdio[3] as Readable, "data")) as [Buffer];
  const env = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: home,
    LANG: "C.UTF-8",
    GDK_BACKEND: "x11",
    DISPLAY: `:${display.toString().trim()}`,
  };
  const startOnce = () => startDriver(path, env, [`--enable-javascript=${scripts}`]);
  // On a busy machine, one in a few hundred hangs before it shows a window.
  const start = () => startOnce().catch(startOnce).catch(startOnce);
  const first = await start();
  await first.stop();
  return {
    name: `WebKitGTK ${first.capabilities.browserVersion}`,
    visit: async () => {
      await rm(downloads, { recursive: true, force: true });
      await mkdir(downloads);
      const { ask, sessionId, stop } = await start();
      const send: Send = (name, parameters) => {
        const [method, pattern] = PATHS[name];
        const values = new Map<string, unknown>(Object.entries(parameters));
        const command = pattern.replace(/\{(\w+)\}/g, (_, key: string) => String(values.get(key)));
        return ask(method, `/session/${sessionId}/${command}`, parameters);
      };
      return webDriverBrowser(send, downloads, stop);
    },
    stop: async () => {
      await stopScreen();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function startDriver(path: string, env: NodeJS.ProcessEnv, settings: string[]): Promise<Driver> {
  const port = await freePort();
  // Its own process group, so a hanging driver is ended together with its browser.
  const driver = spawn(path, [`--port=${port}`, "--host=127.0.0.1"], {
    env,
    stdio: "ignore",
    detached: true,
  });
  const end = endingWithUs(driver);
  const ask = asker(port);
  await until("WebKitWebDriver to listen", () => ask("GET", "/status").catch(() => undefined));
  const browser = { "webkitgtk:browserOptions": { args: ["--automation", ...settings] } };
  const timeouts = { pageLoad: LOAD_MS };
  const wanted = { capabilities: { alwaysMatch: { acceptInsecureCerts: true, timeouts, ...browser } } };
  try {
    const session = (await ask("POST", "/session", wanted, START_MS)) as Session;
    const stop = async () => {
      await ask("DELETE", `/session/${session.sessionId}`);
      await end();
    };
    return { ...session, ask, stop };
  } catch (error) {
    await end();
    throw error;
  }
}

type Ask = ReturnType<typeof asker>;

/** Makes a function that sends a WebDriver request and returns the value in its answer. */
function asker(port: number) {
  return async (
    method: "GET" | "POST" | "DELETE",
    path: string,
    body: object = {},
    limitMs = COMMAND_MS,
  ): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(limitMs),
      ...(method === "POST" && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw isTimeout(error) ? new WebDriverError("timeout", `${method} ${path}`) : error;
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (answer.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new WebDriverError(error, `${method} ${path}: ${message}`);
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

/** Ends a process and its group, on demand or when our own process ends. */
function endingWithUs(leader: ChildProcess): () => Promise<void> {
  const ended = once(leader, "exit");
  const kill = () => {
    if (leader.pid !== undefined && leader.exitCode === null) process.kill(-leader.pid, "SIGKILL");
  };
  process.once("exit", kill);
  return async () => {
    process.off("exit", kill);
    kill();
    await ended;
  };
}
