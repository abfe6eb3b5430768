import type { Planted } from "./planted-house";

/** An import and the special rule that refuses it; `undefined` if it is allowed. */
type Border = readonly [from: string, to: string, rule: string | undefined];

const JOURNEYS: readonly Border[] = [
  ["app/journeys/register/a.ts", "app/journeys/sign-in/x.ts", "no-journey-imports-another"],
  ["app/journeys/register/b.ts", "app/journeys/states.ts", "no-journey-imports-another"],
  ["app/journeys/register/c.ts", "app/journeys/register/x.ts", undefined],
  ["app/journeys/register/d.ts", "app/journeys/kit/x.ts", undefined],
  ["app/journeys/kit/a.ts", "app/journeys/sign-in/x.ts", "no-journey-imports-another"],
  ["app/journeys/kit/b.ts", "app/journeys/kit/x.ts", undefined],
  ["app/journeys/states.ts", "app/journeys/sign-in/states.ts", undefined],
  ...["forms", "demo", "routes", "shell", "visit"].map((room): Border => [
    `app/${room}/journey.ts`,
    "app/journeys/kit/x.ts",
    "journeys-are-collected-in-one-place",
  ]),
  ["app/demo/states.ts", "app/journeys/states.ts", undefined],
  ["app/help-desk/facts.tsx", "app/journeys/customer-area/policy-facts.tsx", undefined],
  ["app/help-desk/x.tsx", "app/journeys/customer-area/x.tsx", "journeys-are-collected-in-one-place"],
  ["app/root.tsx", "app/journeys/kit/x.ts", "journeys-are-collected-in-one-place"],
  ["app/routes/api/a.ts", "app/routes/ops/x.ts", "no-route-imports-another"],
  ["app/routes/api/b.ts", "app/routes/api/x.ts", "no-route-imports-another"],
];

const WIRING: readonly Border[] = [
  ...["backend/x.ts", "backend/index.server.ts"].map((to, at): Border => [
    `app/entry-${at}.server.tsx`,
    `app/${to}`,
    "the-wiring-stays-outside-of-backend-and-texts",
  ]),
  ["app/entry-a.server.tsx", "locales/pl/common.json", "the-wiring-stays-outside-of-backend-and-texts"],
  ["app/entry-b.server.tsx", "tests/x.ts", "the-wiring-stays-outside-of-backend-and-texts"],
  ["app/entry-c.server.tsx", "scripts/x.mjs", "the-wiring-stays-outside-of-backend-and-texts"],
  ["app/entry-d.server.tsx", "app/visit/x.ts", undefined],
  ["app/entry-e.server.tsx", "app/i18n/x.server.ts", undefined],
  ["app/entry-f.server.tsx", "app/routes.ts", "nothing-imports-the-wiring"],
  ["app/shell/wiring.ts", "app/root.tsx", "nothing-imports-the-wiring"],
];

const BACKEND: readonly Border[] = [
  ["app/visit/door.server.ts", "app/backend/index.server.ts", "only-the-backend-client-knows-the-backend"],
  ["app/visit/backend-client/door.server.ts", "app/backend/index.server.ts", undefined],
  ["app/visit/backend-client/a.server.ts", "app/backend/x.ts", "room-visit"],
  ...[
    "@remix-run/node",
    "@remix-run/react",
    "react",
    "react-dom",
    "i18next",
    "remix-i18next/server",
    "@conform-to/react",
  ].map((to, at): Border => [`app/backend/package-${at}.server.ts`, to, "backend-knows-no-web-framework"]),
  ["app/backend/package-a.server.ts", "kysely", undefined],
  ["app/backend/customers/a.server.ts", "app/backend/services/x.server.ts", "customers-know-no-service"],
  ["app/backend/messages/a.server.ts", "app/backend/services/x.server.ts", "messages-know-no-service"],
  ["app/backend/messages/b.server.ts", "app/backend/dependencies.server.ts", "messages-know-no-service"],
  ["app/backend/messages/c.server.ts", "app/backend/store/x.server.ts", undefined],
  ["app/backend/services/a.server.ts", "app/backend/messages/x.server.ts", undefined],
];

const SERVER_PACKAGES = [
  "@remix-run/node",
  "kysely",
  "@photostructure/sqlite",
  "pg",
  "pino",
  "jose",
  "@node-rs/argon2",
  "i18next",
];

const BROWSERS: readonly Border[] = [
  ...SERVER_PACKAGES.map((to, at): Border => [`app/contract/package-${at}.ts`, to, "contract-is-portable"]),
  ["app/contract/package-a.ts", "zod", undefined],
  ["app/ui/package-a.ts", "react", undefined],
  ...["enhancements", "contract/rules"].flatMap((room): readonly Border[] => [
    [`app/${room}/core-a.ts`, "node:fs", "browsers-have-no-node"],
    [`app/${room}/core-b.ts`, "crypto", "browsers-have-no-node"],
  ]),
  ["app/entry.client.ts", "app/ui/x.ts", "one-wall-to-the-browser"],
  ["app/contract/rules/outside.ts", "app/contract/x.ts", "one-wall-to-the-browser"],
  ["app/contract/rules/inside.ts", "app/contract/rules/x.ts", undefined],
  ["app/enhancements/rules.ts", "app/contract/rules/x.ts", undefined],
  ["app/entry.server.tsx", "app/enhancements/x.ts", "only-the-browsers-entry-imports-enhancements"],
  ["app/demo/core.server.ts", "node:fs", undefined],
];

const ANYWHERE: readonly Border[] = [
  ["app/new-room/a.ts", "app/new-room/x.ts", "every-room-is-in-the-table"],
  ["app/shell/listed.ts", "vitest", "listed-packages-only"],
  ["app/shell/unlisted.ts", "acorn-jsx", "listed-packages-only"],
  ["app/shell/missing.ts", "no-such-package-anywhere", "everything-resolves"],
  ["app/shell/named-a.ts", "app/shell/utils.ts", "names-say-what-is-inside"],
  ["app/shell/named-b.ts", "app/shell/common/x.ts", "names-say-what-is-inside"],
  ["app/shell/cycle-a.ts", "app/shell/cycle-b.ts", "no-cycles"],
];

/** Each rule that the table of rooms can't express, with imports that it refuses and allows. */
export const SPECIAL_BORDERS: readonly Border[] = [
  ...JOURNEYS,
  ...WIRING,
  ...BACKEND,
  ...BROWSERS,
  ...ANYWHERE,
];

/** The other half of the cycle: a cycle is reported once. */
export const CYCLE: Planted = { from: "app/shell/cycle-b.ts", to: "app/shell/cycle-a.ts" };

/** All ways to import; every one of them counts. */
export const WAYS: Readonly<Record<string, NonNullable<Planted["write"]>>> = {
  "import x from": (specifier) => `import x from "${specifier}"; export const y = x;`,
  "import type": (specifier) => `import type { X } from "${specifier}"; export type Y = X;`,
  "import { type X }": (specifier) => `import { type X } from "${specifier}"; export type Y = X;`,
  "export from": (specifier) => `export * from "${specifier}";`,
  "export type from": (specifier) => `export type { X } from "${specifier}";`,
  "import()": (specifier) => `export const x = import("${specifier}");`,
  "import() of a type": (specifier) => `export type Y = import("${specifier}").X;`,
};
