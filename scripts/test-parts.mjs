import { readdirSync } from "node:fs";
import { inProject } from "./prepare/project.mjs";

/**
 * The parts for `npm test -- PART`: each runs the test files whose path below `tests` matches. `tests/README.md` shows
 * the table.
 * @type {Readonly<Record<string, { readonly about: string, readonly path: RegExp }>>}
 */
export const PARTS = {
  fast: {
    about: "what needs no build, process, database or browser",
    path: /^unit\/(?!backend\/|deployment\/|attack\/)/,
  },
  unit: { about: "everything that Vitest runs", path: /\.test\.tsx?$/ },
  e2e: { about: "everything that Playwright runs", path: /\.spec\.ts$/ },
  database: { about: "the backend on both databases", path: /^(unit\/backend|contract)\// },
  attack: { about: "attacks, by HTTP", path: /^attack\// },
  topology: { about: "several portals behind nginx", path: /^topology\// },
  browsers: { about: "what is seen in browsers, text browsers too", path: /^(e2e|browsers|text-browser)\// },

  // Everything about one concern, in all kinds of tests.
  "sign-in": {
    about: "passwords, codes, trusted devices, sign-out",
    path: /sign-?(ed-)?(in|out)|signing|mfa|\/code|-code|device|known-browser|attempt|refusals|journeys\.spec|switch-account/,
  },
  register: {
    about: "registration and its identifiers",
    path: /regist|identifier|spelling|numbers|journeys\.spec|account-(steps|starts|forms|rules|enumeration)|contract\/(rules|embedded)|unit\/forms\/forms/,
  },
  passwords: {
    about: "changed, forgotten and weak passwords",
    path: /password|reset|account-catalogue|contract\/embedded/,
  },
  usernames: {
    about: "changed and forgotten usernames",
    path: /username|remind|account-enumeration|contract\/embedded/,
  },
  sessions: {
    about: "open sessions, one tab, the end of a session",
    path: /session|tab\b|tabs|comings-and-goings/,
  },
  documents: { about: "documents and their password", path: /document|pdf|contract\/embedded/ },
  "customer-area": {
    about: "policies, profile, contact",
    path: /polic(y|ies)|customer-area|profile|activity/,
  },
  operators: {
    about: "the commands of `portal`",
    path: /command|doctor|operator|import|rewrap|purge|person|backup|announce|account\/|audit\//,
  },
  audit: { about: "what is written down, and its seals", path: /audit|events/ },
  sms: { about: "messages, gateways, notices", path: /sms|notice|message|sent-to/ },
  face: { about: "how screens look and read", path: /gallery|face|language|english|texts|i18n|valid-html/ },
  scripts: {
    about: "what the script adds",
    path: /with-scripts|enhancements|browsers\/scripts|page-policy|script-forms/,
  },
};

/**
 * The test files of a part.
 * @param {string} part a key of PARTS
 * @returns {{ vitest: readonly string[], playwright: readonly string[] }} paths below the repository
 */
export function testsOf(part) {
  const files = readdirSync(inProject("tests"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path) && PARTS[part].path.test(path))
    .map((path) => `tests/${path}`)
    .toSorted();
  return {
    vitest: files.filter((path) => path.includes(".test.")),
    playwright: files.filter((path) => path.includes(".spec.")),
  };
}
