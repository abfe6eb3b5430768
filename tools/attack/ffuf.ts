import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { ADDRESSES } from "../../tests/attack/addresses";
import { Visitor } from "../../tests/visitor";
import { RATES_LIFTED, SHIPPED } from "../bench/looseness";
import { cookieHeader } from "../bench/portal";
import { guessesAt } from "./code-guessing";
import { findHidden, readFfuf } from "./ffuf-report";
import type { Aim, Aims, Ground, Opened } from "./known-tools";

const COMMON_WORDS = "/usr/share/dirb/wordlists/common.txt";
/** Files and addresses that portals like ours have leaked. */
const OUR_WORDS =
  `.git/config .git/HEAD .env .env.production .data/portal.db .npmrc .well-known/openid-configuration
  metrics readyz demo/sms.json demo/sms demo/gallery package.json package-lock.json tsconfig.json vite.config.ts
  Dockerfile build/server/index.js server/index.js app/root.tsx locales/pl/password.json docs/openapi.json openapi.json
  api/openapi.json home/api/openapi.json assets/ assets/root.js.map assets/entry.client.js.map
  assets/..%2f..%2fserver%2findex.js assets/../../server/index.js ..%2f..%2fetc%2fpasswd %2e%2e/%2e%2e/etc/passwd
  _nginx/unavailable.html _nginx/refused.html nginx_status server-status __manifest @vite/client @fs/etc/passwd
  node_modules/react/package.json debug/pprof actuator/health graphql admin cp/admin cp/api/ home/api/ home/api/user/
  home/api/user/anna.nowak refused/500`.split(/\s+/);
/** The public files. */
const FILES = ["", ...readdirSync("public", { recursive: true, encoding: "utf8" }).map((path) => `/${path}`)];
/** A quick run tries only every nth word of the list. */
const QUICK_NTH = 6;

const HIDDEN: Aim = { attack: "ffuf, hidden addresses", open: openAddresses };

/** Guesses twice: from one address, with its caps as shipped, and from so many that only the code's own tries count. */
const GUESSERS = { "one address": SHIPPED, "many addresses": { ...SHIPPED, ...RATES_LIFTED } };

/** Looks for hidden addresses, and guesses one-time codes. */
export const FFUF_AIMS: readonly Aims[] = [
  { aims: [HIDDEN] },
  ...Object.entries(GUESSERS).flatMap(([whom, env]) =>
    (["reset-password-submit", "remind-login-submit"] as const).map((step) => ({
      env,
      aims: [{ attack: `ffuf, codes at ${step}, ${whom}`, open: guessesAt(step) }],
    })),
  ),
];

async function openAddresses({ topology, file, quick }: Ground): Promise<Opened> {
  const { origin } = topology;
  const hasList = existsSync(COMMON_WORDS);
  const common = hasList ? readFileSync(COMMON_WORDS, "utf8").split("\n") : [];
  const words = [...OUR_WORDS, ...common.filter((_, nth) => !quick || nth % QUICK_NTH === 0)].filter(Boolean);
  const list = `${file}.words`;
  writeFileSync(list, `${words.join("\n")}\n`);
  const visitor = new Visitor(topology);
  await visitor.accept();
  return {
    args: ["-w", list, "-u", `${origin}/FUZZ`, "-H", `Cookie: ${cookieHeader(visitor)}`],
    judge: (report) => {
      const results = readFfuf(report);
      const missing = hasList ? "" : "; dirb's list is missing";
      return {
        findings: findHidden(results, { origin, paths: openPaths() }),
        notes: [`${results.length} of ${words.length} words answered${missing}`],
        ...(results.length < words.length / 2 && { notReached: "most words had no answer" }),
      };
    },
  };
}

/** Addresses that a visitor with consent may see, and files. */
function openPaths(): readonly string[] {
  const screens = ADDRESSES.filter(
    ({ path, get }) =>
      (typeof get === "object" ? get["signed-out"] : get) === 200 && !path.startsWith("/demo"),
  ).map(({ path }) => path);
  return [...FILES, ...screens].filter((path) => path !== "/readyz");
}
