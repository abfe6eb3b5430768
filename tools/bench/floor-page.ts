import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { PageRequest } from "./page-load";
import { nodeFlags } from "./portal";
import { runServer, type Running } from "./process";

const SOURCES = join("tools", "bench", "floor-page");
const BUILT = join(".cache", "bench", "floor-page", "server", "index.js");
const SERVE = join("node_modules", "@remix-run", "serve", "dist", "cli.js");
const REMIX = join("node_modules", "@remix-run", "dev", "dist", "cli.js");

/** The floor page, requested by a browser that accepts this encoding. */
export function floorPage(encoding: Readonly<Record<string, string>>): PageRequest {
  return { path: "/home", headers: encoding, status: 200 };
}

/** Builds the floor page, Remix with one form, and starts it on remix-serve with the portal's flags for Node. */
export async function startFloorPage(): Promise<Running> {
  await promisify(execFile)(process.execPath, [REMIX, "vite:build", SOURCES], {
    env: { ...process.env, NODE_ENV: "production" },
  });
  return runServer({
    name: "floor-page",
    args: [...nodeFlags(), resolve(SERVE), resolve(BUILT)],
    // The build names its assets from here.
    cwd: SOURCES,
    firstPath: floorPage({}).path,
  });
}
