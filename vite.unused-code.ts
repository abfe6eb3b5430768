import type { Plugin, Rollup } from "vite";
import type { Cut } from "./vite.unused-piece";
import { REMIX_USES_CUTS, UNUSED_REMIX } from "./vite.unused-remix";
import { ROUTER_USES_CUTS, UNUSED_ROUTER } from "./vite.unused-router";

const CUTS: readonly Cut[] = [...UNUSED_REMIX, ...UNUSED_ROUTER];

/** What of a library, or in a route's module, would run what is cut out. */
const USES_CUTS: readonly string[] = [...REMIX_USES_CUTS, ...ROUTER_USES_CUTS];

/** The flags in Remix's settings that decide whether the cut pieces run. */
interface RemixFlags {
  readonly v3_singleFetch: boolean;
  readonly v3_lazyRouteDiscovery: boolean;
}

/**
 * Takes the parts of the libraries that never run out of the browser's scripts (docs/decisions/browser-scripts.md).
 * Fails the build if a library no longer has one of them, or if Remix's flags or our code would run them.
 */
export function withoutUnusedCode(flags: RemixFlags): Plugin {
  if (!flags.v3_singleFetch || flags.v3_lazyRouteDiscovery) {
    throw new Error("vite.unused-remix.ts cuts out what these flags of Remix need");
  }
  const done = new Set<Cut>();
  return {
    name: "without-unused-code",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      const cuts = CUTS.filter(({ file }) => id.endsWith(file));
      if (cuts.length === 0) return undefined;
      return { code: cuts.reduce(cutOut, code), map: null };

      function cutOut(from: string, cut: Cut): string {
        if (from.split(cut.code).length !== 2)
          throw new Error(`${cut.file} no longer has, once: ${cut.code}`);
        done.add(cut);
        return from.replace(cut.code, () => cut.instead);
      }
    },
    generateBundle(_options, bundle) {
      const used = Object.values(bundle).flatMap(usesOfCuts);
      if (used.length > 0) throw new Error(`vite.unused-*.ts cut out what this needs: ${used.join(", ")}`);
      const missing = CUTS.filter((cut) => !done.has(cut));
      if (missing.length > 0)
        throw new Error(`The browser's scripts no longer have ${missing.map(({ file }) => file).join(", ")}`);
    },
  };
}

/** What a script exports, or keeps of a library, that can't work without a piece that is cut out. */
function usesOfCuts(file: Rollup.OutputAsset | Rollup.OutputChunk): readonly string[] {
  if (file.type === "asset") return [];
  const ofLibraries = Object.entries(file.modules)
    .filter(([id]) => id.includes("/node_modules/"))
    .flatMap(([, { renderedExports }]) => renderedExports);
  return [...file.exports, ...ofLibraries].filter((name) => USES_CUTS.includes(name));
}
