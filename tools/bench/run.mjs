// `npm run bench [-- quick] [group …]` measures how fast and how heavy the portal is on this machine. It prints a table:
// each figure, its target, and a floor measured in the same run. A missed target is not an error.
import { runMain, Stop } from "../../scripts/prepare/stop.mjs";
import { requireNode } from "../../scripts/prepare/node-version.mjs";

const GROUPS = [
  "weight",
  "start",
  "pages",
  "dearest",
  "sign-ins",
  "floods",
  "known-unknown",
  "documents",
  "import",
  "postgres-sign-ins",
  "sizing",
];
const BUNDLE = [".cache", "bench"];
/** The bench itself and the processes that measure floors. */
const ENTRIES = ["bench", "bare-server", "raw-hashes"];

await runMain(async () => {
  requireNode();
  const options = readArguments(process.argv.slice(2));
  if (process.platform !== "linux")
    throw new Stop("The bench reads processor time and memory from Linux' /proc.");
  const { prepare } = await import("../../scripts/prepare/prepare.mjs");
  const { requireChromium } = await import("../../scripts/prepare/browsers.mjs");
  const { ROOT, inProject } = await import("../../scripts/prepare/project.mjs");
  process.chdir(ROOT);
  await prepare();
  process.env.CHROMIUM_PATH = await requireChromium();
  await bundle(inProject);
  const { providePostgres } = await import("../../scripts/prepare/postgres.mjs");
  const stopPostgres = await providePostgres({ waitsForDisk: true });
  const { bench } = await import(inProject(...BUNDLE, "bench.mjs"));
  await bench(options).finally(stopPostgres);
});

function readArguments(words) {
  const quick = words.includes("quick");
  const named = words.filter((word) => word !== "quick");
  const unknown = named.find((word) => !GROUPS.includes(word));
  if (unknown !== undefined)
    throw new Stop(`npm run bench knows the words quick, ${GROUPS.join(", ")}, not "${unknown}".`);
  return { quick, groups: named.length > 0 ? named : GROUPS };
}

/** Bundles the bench: it is TypeScript and uses the portal's modules to fill a database and to hash. */
async function bundle(inProject) {
  const { build } = await import("vite");
  const input = Object.fromEntries(ENTRIES.map((name) => [name, inProject("tools", "bench", `${name}.ts`)]));
  await build({
    configFile: false,
    logLevel: "warn",
    resolve: { alias: { "~": inProject("app") } },
    build: {
      ssr: true,
      target: "node20",
      outDir: inProject(...BUNDLE),
      emptyOutDir: true,
      rollupOptions: { input, output: { entryFileNames: "[name].mjs" } },
    },
  });
}
