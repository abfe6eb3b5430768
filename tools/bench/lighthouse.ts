import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startPortal, withDataDir } from "./portal";
import type { Row } from "./row";

/** It would be a third of all packages, so it has its own lock file and is installed on first use. */
const FOLDER = "tools/bench/lighthouse";

/** The part of Lighthouse's report that we read. */
interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<
    Record<string, { readonly numericValue?: number; readonly score: number | null }>
  >;
}

interface LaunchedChrome {
  readonly port: number;
  kill(): void;
}

const SCORES = [
  { category: "performance", least: 98 },
  { category: "accessibility", least: 100 },
  { category: "best-practices", least: 100 },
] as const;

const TIMES = [
  { audit: "first-contentful-paint", most: 1500 },
  { audit: "largest-contentful-paint", most: 2000 },
  { audit: "total-blocking-time", most: 200 },
] as const;

/** The sign-in page as Lighthouse sees it: on a phone, throttled, with an empty cache. */
export async function benchLighthouse(): Promise<readonly Row[]> {
  install();
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir);
    try {
      const { categories, audits } = await audit(`http://127.0.0.1:${portal.port}/home`);
      return [
        ...SCORES.map(({ category, least }): Row => ({
          name: `Lighthouse, login page: ${category}`,
          unit: "",
          measured: Math.round((categories[category]?.score ?? 0) * 100),
          target: { of: "measured", bound: "at least", value: least },
          note: "mobile, throttled",
        })),
        ...TIMES.map(({ audit: name, most }): Row => ({
          name: `Lighthouse, login page: ${name.replaceAll("-", " ")}`,
          unit: "ms",
          measured: audits[name]?.numericValue ?? Infinity,
          target: { of: "measured", bound: "at most", value: most },
        })),
        {
          name: "Lighthouse, login page: layout shift",
          unit: "",
          measured: audits["cumulative-layout-shift"]?.numericValue ?? Infinity,
          target: { of: "measured", bound: "at most", value: 0 },
        },
      ];
    } finally {
      await portal.stop();
    }
  });
}

function install(): void {
  if (existsSync(join(FOLDER, "node_modules", "lighthouse"))) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${FOLDER}`);
}

async function audit(url: string): Promise<Report> {
  const load = (path: string) => import(pathToFileURL(join(FOLDER, "node_modules", path)).href);
  const { default: lighthouse } = (await load("lighthouse/core/index.js")) as {
    default: (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;
  };
  const { launch } = (await load("chrome-launcher/dist/index.js")) as {
    launch: (options: object) => Promise<LaunchedChrome>;
  };
  const chrome = await launch({
    chromePath: process.env["CHROMIUM_PATH"],
    chromeFlags: ["--headless=new", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
    logLevel: "silent",
  });
  try {
    const result = await lighthouse(url, {
      port: chrome.port,
      logLevel: "error",
      onlyCategories: SCORES.map(({ category }) => category),
      extraHeaders: { Cookie: "accepted-cookies=true" },
    });
    if (!result) throw new Error("Lighthouse gave no report");
    return result.lhr;
  } finally {
    chrome.kill();
  }
}
