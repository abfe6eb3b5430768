import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as customers from "../demo-customers";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const DEMO_CUSTOMERS = join(ROOT, "tests/conformance/demo-customers.json");

/** The customers of our own demo. */
export function usualFile(): object {
  const { ANNA, PIOTR, MARIA, TOMASZ, EWA, JAN, KRYSTYNA, OLENA, COMPANY, freshCustomer } = customers;
  const FRESH = Array.from({ length: 30 }, (_, nth) => freshCustomer(nth + 1));
  return { ANNA, PIOTR, MARIA, TOMASZ, EWA, JAN, KRYSTYNA, OLENA, COMPANY, FRESH };
}

/** Runs `npm run conformance -- …` as an insurer would. */
export function conformance(...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["scripts/conformance.mjs", ...args], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", NODE_ENV: "development" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.once("close", (code) => {
      resolve({ code, output });
    });
  });
}

/** Starts the reference backend as an insurer's engineer would. */
export async function startReference(): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const child = spawn(process.execPath, ["scripts/reference-backend.mjs", "0", DEMO_CUSTOMERS], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8") as AsyncIterable<string>) {
    output += text;
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (origin !== undefined) return { origin, stop: () => child.kill() };
  }
  throw new Error(`the reference backend didn't start: ${output}`);
}
