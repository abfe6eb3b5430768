// `npm run request-reach [-- --list]`: measures how much of our own code three requests run through. Builds the portal
// with source maps and starts it in demo mode; V8 counts the functions that each request calls. No figure is a failure.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireNode } from "./prepare/node-version.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

/** A function counts if it ran in every round, so a timer that happens to fire in one of them doesn't. */
const ROUNDS = 3;
const SIDES = { screen: "screen side", backend: "backend" };
const COLUMNS = ["files", "lines run", "whole files"];
const LEGEND = `files: those of app/ with a function that ran; code that runs while modules load doesn't count.
lines run: from the first to the last line of each function that ran. whole files: all lines of those files.`;

await runMain(async () => {
  requireNode();
  const wantsList = readArguments(process.argv.slice(2));
  const { prepareInstall } = await import("./prepare/prepare.mjs");
  const { buildWithMaps } = await import("./request-reach/build-with-maps.mjs");
  const { readBuild } = await import("./request-reach/own-code.mjs");
  await prepareInstall();

  const folder = realpathSync(mkdtempSync(join(tmpdir(), "request-reach-")));
  try {
    console.log("· Building the portal with source maps …");
    const serverBuild = await buildWithMaps(folder);
    const codeOf = readBuild(folder);
    for (const [request, functions] of await measure(folder, serverBuild)) {
      const files = codeOf(functions);
      console.log(`\n${table(request, files)}`);
      if (wantsList) console.log(`\n${list(files)}`);
    }
    console.log(`\n${LEGEND}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function readArguments(words) {
  const unknown = words.find((word) => word !== "--list");
  if (unknown !== undefined)
    throw new Stop(`Unknown argument "${unknown}": npm run request-reach takes only --list.`);
  return words.length > 0;
}

/** The functions that ran in every round, by request. Each round starts a new portal, so that all rounds are alike. */
async function measure(folder, serverBuild) {
  const { startPortal } = await import("./request-reach/portal.mjs");
  const { makeRequests } = await import("./request-reach/requests.mjs");
  let common;
  for (let round = 1; round <= ROUNDS; round += 1) {
    console.log(`· Round ${round} of ${ROUNDS} …`);
    const portal = await startPortal(folder, serverBuild);
    try {
      const made = await makeRequests(portal);
      common = common ? inBoth(common, made) : made;
    } finally {
      await portal.stop();
    }
  }
  return common;
}

function inBoth(one, other) {
  const keyOf = ({ script, start, end }) => `${script} ${start}-${end}`;
  return new Map(
    [...one].map(([request, functions]) => {
      const known = new Set(other.get(request).map(keyOf));
      return [request, functions.filter((ran) => known.has(keyOf(ran)))];
    }),
  );
}

function table(request, files) {
  const rows = Object.entries(SIDES).map(([side, name]) => [
    name,
    files.filter((file) => sideOf(file) === side),
  ]);
  const lines = [...rows, ["total", files]].map(([name, ofSide]) =>
    row(name, ofSide.length, sum(ofSide, "ran"), sum(ofSide, "whole")),
  );
  return [row(request, ...COLUMNS), ...lines, `by folder: ${byFolder(files)}`].join("\n");
}

function row(name, ...figures) {
  return name.padEnd(20) + figures.map((figure) => String(figure).padStart(12)).join("");
}

/** How many of the files are in each folder of app/, largest first. */
function byFolder(files) {
  const counts = new Map();
  for (const { path } of files) {
    const [, folder, ...more] = path.split("/");
    const name = more.length > 0 ? folder : "app";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

function list(files) {
  return Object.keys(SIDES)
    .flatMap((side) => files.filter((file) => sideOf(file) === side))
    .map(({ path, ran, whole }) => `  ${String(ran).padStart(4)} of ${String(whole).padStart(3)}  ${path}`)
    .join("\n");
}

function sum(files, figure) {
  return files.reduce((total, file) => total + file[figure], 0);
}

function sideOf({ path }) {
  return path.startsWith("app/backend/") ? "backend" : "screen";
}
