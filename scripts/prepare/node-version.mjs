import { readPackageJson } from "./project.mjs";
import { Stop } from "./stop.mjs";

/**
 * Whether a version of Node satisfies a range of the two kinds that package.json uses: `^20.19.0`, `>=24.0.0`.
 * @param {string} version for example "20.19.1"
 * @param {string} range alternatives joined by `||`
 */
export function satisfies(version, range) {
  const [major, minor] = version.split(".").map(Number);
  return range.split("||").some((alternative) => {
    const [, operator, wantedMajor, wantedMinor] = /^\s*(\^|>=)(\d+)\.(\d+)\.0\s*$/.exec(alternative);
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor);
    return operator === ">=" && major > Number(wantedMajor);
  });
}

/** Stops unless the project supports this Node. Must stay free of syntax newer than Node 16. */
export function requireNode() {
  const wanted = readPackageJson().engines.node;
  if (satisfies(process.versions.node, wanted)) return;
  throw new Stop(
    `The portal needs Node ${wanted}; this is Node ${process.versions.node}: install a newer one.`,
  );
}
