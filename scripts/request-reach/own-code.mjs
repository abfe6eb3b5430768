import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** @typedef {import("./portal.mjs").RanFunction} RanFunction */

/**
 * @typedef {object} OwnFile
 * @property {string} path from the folder of the repository, `app/…`
 * @property {number} ran how many of its lines are in functions that ran, blank lines and comments included
 * @property {number} whole how many lines it has
 */

/**
 * Reads the files of a server's build and their source maps.
 * @param {string} folder where it was built, with the sources
 * @returns {(functions: readonly RanFunction[]) => OwnFile[]} finds our own files that functions of the build come from
 */
export function readBuild(folder) {
  const scripts = new Map();
  const scriptOf = (url) => {
    const known = scripts.get(url) ?? readScript(folder, fileURLToPath(url));
    scripts.set(url, known);
    return known;
  };
  const placeOf = ({ script, start, end }) => scriptOf(script)({ start, end });

  return (functions) => {
    const files = new Map();
    for (const place of functions.map(placeOf)) {
      if (!place) continue;
      const lines = files.get(place.path) ?? new Set();
      for (let line = place.from; line <= place.to; line += 1) lines.add(line);
      files.set(place.path, lines);
    }
    return [...files]
      .map(([path, lines]) => ({ path, ran: lines.size, whole: linesIn(join(folder, path)) }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  };
}

/** Finds where the functions of one file of the build come from. */
function readScript(folder, path) {
  const code = readFileSync(path, "utf8").split("\n");
  const starts = startsOf(code);
  const mapPath = `${path}.map`;
  const map = new SourceMap(JSON.parse(readFileSync(mapPath, "utf8")));

  /** The origin of a character of the build, if the map has an entry for its line. */
  const originOf = (line, column) => {
    const { originalSource, originalLine, generatedLine } = map.findEntry(line, column);
    if (originalSource === undefined || generatedLine !== line) return undefined;
    const { href } = new URL(originalSource, pathToFileURL(mapPath));
    return { path: relative(folder, fileURLToPath(href.split("?")[0])), line: originalLine };
  };

  return ({ start, end }) => {
    const first = lineOf(starts, start);
    const last = lineOf(starts, end - 1);
    const beginning = originOf(first, start - starts[first]);
    if (!beginning?.path.startsWith("app/")) return undefined;
    const lines = [beginning.line];
    for (let line = first + 1; line <= last; line += 1) {
      const column = line === last ? end - 1 - starts[line] : code[line].length;
      const origin = originOf(line, column);
      if (origin?.path === beginning.path) lines.push(origin.line);
    }
    return { path: beginning.path, from: Math.min(...lines), to: Math.max(...lines) };
  };
}

function startsOf(lines) {
  let start = 0;
  return lines.map((line) => {
    const own = start;
    start += line.length + 1;
    return own;
  });
}

/** The last line that starts at or before the offset. */
function lineOf(starts, offset) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function linesIn(path) {
  return readFileSync(path, "utf8").trimEnd().split("\n").length;
}
