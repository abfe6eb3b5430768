/**
 * Who may import whom: for each folder of `app`, all that it may import from this repository besides itself. Importing a
 * type counts, too. `.dependency-cruiser.cjs` turns this table into rules; tests/unit/house plants one forbidden import
 * per pair and sees it refused.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const MAY_IMPORT = {
  journeys: ["contract", "forms", "i18n", "platform", "shell", "ui", "visit"],
  routes: ["contract", "server/front-door", "i18n", "platform", "shell", "ui", "visit"],
  "help-desk": [
    "backend",
    "contract",
    "forms",
    "server/front-door",
    "i18n",
    // A premium in the words that its customer reads.
    "journeys/customer-area/policy-facts.tsx",
    "journeys/customer-area/transfer.ts",
    "platform",
    "shell",
    "ui",
    "visit",
  ],
  server: ["contract", "help-desk", "i18n", "journeys/cached-screens.ts", "platform", "shell", "visit"],
  shell: ["contract", "server/front-door", "i18n", "platform", "ui", "visit"],
  visit: ["backend", "demo/seeding.server.ts", "contract", "server/front-door", "i18n", "platform"],
  forms: ["contract", "i18n"],
  browser: ["contract/rules"],
  i18n: ["contract", "locales", "platform"],
  backend: ["contract", "platform"],
  operators: ["backend", "contract", "i18n", "platform"],
  demo: [
    "backend",
    "contract",
    "forms",
    "i18n",
    "journeys",
    "platform",
    "server/front-door",
    "shell",
    "ui",
    "visit",
  ],
  contract: [],
  platform: ["package.json"],
  ui: ["i18n", "platform"],
};

/** The table's entries outside of `app`. */
const OUTSIDE = ["locales", "package.json"];

module.exports = { MAY_IMPORT, OUTSIDE };
