import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { build } from "vite";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";

const ROOT = fileURLToPath(new URL("../../../../../..", import.meta.url));
/** In the repository, so that its packages are found. */
const BUILT = join(ROOT, "node_modules/.cache/portal/endless-writer");

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "portal-durability-"));
  file = join(folder, "portal.db");
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "warn",
    resolve: { alias: { "~": join(ROOT, "app") } },
    build: {
      ssr: "tests/release/unit/backend/store/sqlite/endless-writer.ts",
      target: "node20",
      outDir: BUILT,
      rollupOptions: { output: { entryFileNames: "writer.js" } },
    },
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it("a process killed in the middle of its writes has kept each that it reported, and the file is whole", async () => {
  for (const reports of [1, 100, 1000]) {
    const reported = await killedAfter(reports);
    const found = new SqliteConnection(file);
    expect(found.value("pragma integrity_check")).toBe("ok");
    const kept = new Set(found.rows<{ name: string }>("select name from facts").map(({ name }) => name));
    expect(reported.filter((name) => !kept.has(name))).toEqual([]);
    found.exec("delete from facts").close();
  }
});

/** The names that a writer had reported when it died, right after this many. */
async function killedAfter(reports: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [join(BUILT, "writer.js"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const names: string[] = [];
  for await (const name of createInterface(writer.stdout))
    if (names.push(name) === reports) writer.kill("SIGKILL");
  return names;
}
