// `npm run sbom [FILE]`: writes the bill of materials, every package that runs, as CycloneDX to build/sbom.cdx.json. It
// reads the lock alone: no network, nothing installed.
//
// `npm sbom --omit=dev` itself leaves out whatever a development dependency needs as well (95 packages of 288 here), and
// refuses a pruned installation. So npm gets a package.json and a lock without development dependencies.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const COMMAND = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];

await runMain(async () => {
  const file = resolve(process.argv[2] ?? inProject("build/sbom.cdx.json"));
  const parent = mkdtempSync(join(tmpdir(), "sbom-"));
  try {
    // npm takes the name of the folder for the product's.
    const folder = join(parent, readJson("package.json").name);
    mkdirSync(folder);
    for (const [name, content] of Object.entries(withoutDevelopment()))
      writeFileSync(join(folder, name), JSON.stringify(content));
    const { status, stdout, stderr } = spawnSync("npm", COMMAND, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: Infinity,
    });
    if (status !== 0) throw new Stop(`npm sbom failed: ${stderr}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, stdout);
    console.log(`Written: ${file}, ${JSON.parse(stdout).components.length} packages`);
  } finally {
    rmSync(parent, { recursive: true });
  }
});

function withoutDevelopment() {
  const none = { devDependencies: undefined };
  const lock = readJson("package-lock.json");
  const kept = Object.entries(lock.packages).filter(([, { dev }]) => !dev);
  const packages = { ...Object.fromEntries(kept), "": { ...lock.packages[""], ...none } };
  return {
    "package.json": { ...readJson("package.json"), ...none },
    "package-lock.json": { ...lock, packages },
  };
}

function readJson(name) {
  return JSON.parse(readFileSync(inProject(name), "utf8"));
}
