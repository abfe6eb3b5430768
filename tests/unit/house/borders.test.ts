import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { brokenRules, type Planted } from "./planted-house";
import { inRepository, MAY_IMPORT, placeOf, ROOMS } from "./repository";

const { forbidden } = createRequire(import.meta.url)(inRepository(".dependency-cruiser.cjs")) as {
  readonly forbidden: readonly { readonly name: string }[];
};

/** An import for each rule that the table of rooms can't express. */
const SPECIAL: Readonly<Record<string, Planted>> = {
  "every-room-is-in-the-table": { from: "app/new-room/a.ts", to: "app/new-room/x.ts" },
  "no-journey-imports-another": { from: "app/journeys/register/a.ts", to: "app/journeys/sign-in/x.ts" },
  "no-route-imports-another": { from: "app/routes/api/a.ts", to: "app/routes/ops/x.ts" },
  "journeys-are-collected-in-one-place": { from: "app/demo/journey.ts", to: "app/journeys/kit/x.ts" },
  "the-wiring-stays-outside-of-backend-and-texts": { from: "app/entry.server.tsx", to: "app/backend/x.ts" },
  "nothing-imports-the-server": { from: "app/shell/server.ts", to: "app/server/x.ts" },
  "the-front-door-stands-alone": { from: "app/server/front-door/a.ts", to: "app/shell/x.ts" },
  "nothing-imports-the-wiring": { from: "app/shell/wiring.ts", to: "app/root.tsx" },
  "only-the-backend-client-knows-the-backend": {
    from: "app/visit/door.server.ts",
    to: "app/backend/index.server.ts",
  },
  "one-door-to-the-backend": { from: "app/operators/door.ts", to: "app/backend/store/x.server.ts" },
  "one-wall-to-the-browser": { from: "app/entry.client.ts", to: "app/ui/x.ts" },
  "browsers-have-no-node": { from: "app/contract/rules/core.ts", to: "node:fs" },
  "only-the-browsers-entry-imports-its-scripts": { from: "app/root-a.tsx", to: "app/browser/x.ts" },
  "customers-know-no-service": {
    from: "app/backend/customers/a.server.ts",
    to: "app/backend/accounts/x.server.ts",
  },
  "messages-know-no-service": {
    from: "app/backend/messages/a.server.ts",
    to: "app/backend/accounts/x.server.ts",
  },
  "backend-knows-no-web-framework": { from: "app/backend/package.server.ts", to: "react" },
  "contract-is-portable": { from: "app/contract/package.ts", to: "kysely" },
  "no-cycles": { from: "app/shell/cycle-a.ts", to: "app/shell/cycle-b.ts" },
  "everything-resolves": { from: "app/shell/missing.ts", to: "no-such-package-anywhere" },
  "listed-packages-only": { from: "app/shell/listed.ts", to: "vitest" },
  "names-say-what-is-inside": { from: "app/shell/named.ts", to: "app/shell/utils.ts" },
};

/** The other half of the cycle. A cycle is reported once. */
const CYCLE: Planted = { from: "app/shell/cycle-b.ts", to: "app/shell/cycle-a.ts" };

const PLANTS: ReadonlyMap<string, Planted> = new Map([
  ...ROOMS.map((room): [string, Planted] => [`room-${room}`, { from: `app/${room}/a.ts`, to: "tests/x.ts" }]),
  ...Object.entries(SPECIAL),
]);

describe("dependency-cruiser", () => {
  let broken: ReadonlyMap<string, string[]>;
  beforeAll(async () => {
    broken = await brokenRules([...PLANTS.values(), CYCLE]);
  });

  it("has a planted import for each rule, and for no other", () => {
    expect([...PLANTS.keys()].toSorted()).toEqual(forbidden.map(({ name }) => name).toSorted());
  });

  it.each([...PLANTS])("refuses an import that breaks %s", (rule, { from }) => {
    expect(broken.get(from)).toContain(rule);
  });
});

describe("the table of rooms (scripts/house/may-import.cjs)", () => {
  it("has a line for every folder of app and for nothing else", () => {
    expect(Object.keys(MAY_IMPORT).toSorted()).toEqual(ROOMS.toSorted());
  });

  it.each(Object.entries(MAY_IMPORT))("names only what exists: %s", (_room, names) => {
    expect(names.filter((name) => !existsSync(inRepository(placeOf(name))))).toEqual([]);
  });
});
