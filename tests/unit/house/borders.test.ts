import { existsSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { brokenRules, type Planted } from "./planted-house";
import { inRepository, MAY_IMPORT, placeOf, ROOMS } from "./repository";
import { CYCLE, SPECIAL_BORDERS, WAYS } from "./special-borders";

/** All places that a room could try to import: each room, the parts of rooms in the table, and places outside them. */
const PLACES: readonly string[] = [
  ...ROOMS.map((room) => `app/${room}/x.ts`),
  "app/backend/index.server.ts",
  "app/contract/rules/index.ts",
  "app/contract/rules/x.ts",
  "app/journeys/states.ts",
  "app/journeys/kit/x.ts",
  "app/journeys/kit/screen-states.ts",
  "app/demo/seeding.server.ts",
  "app/root.tsx",
  "app/routes.ts",
  "locales/pl/common.json",
  "tests/x.ts",
  "scripts/x.mjs",
  "docs/x.json",
  "deploy/x.mjs",
  "public/x.mjs",
  "vite.config.ts",
  "package.json",
];

/** Special rules cover imports within journeys, within routes, and from visit to the backend. */
const SPECIAL: Readonly<Record<string, string>> = {
  journeys: "app/journeys/",
  routes: "app/routes/",
  visit: "app/backend/index.server.ts",
};

interface Pair extends Planted {
  readonly room: string;
  readonly allowed: boolean;
}

const PAIRS: readonly Pair[] = ROOMS.flatMap((room) =>
  PLACES.filter((to) => !to.startsWith(SPECIAL[room] ?? "-")).map((to, at) => ({
    room,
    from: `app/${room}/pair/${at}.ts`,
    to,
    allowed: isAllowed(room, to),
  })),
);

/** One forbidden import, written in every way there is to import. */
const WAYS_OUT = Object.entries(WAYS).map(([way, write], at) => ({
  way,
  from: `app/ui/way/${at}.ts`,
  to: "app/backend/x.ts",
  write,
}));

function isAllowed(room: string, to: string): boolean {
  return [room, ...(MAY_IMPORT[room] ?? [])]
    .map(placeOf)
    .some((place) => to === place || to.startsWith(`${place}/`));
}

let broken: ReadonlyMap<string, string[]>;
beforeAll(async () => {
  const special = SPECIAL_BORDERS.map(([from, to]) => ({ from, to }));
  broken = await brokenRules([...PAIRS, ...special, CYCLE, ...WAYS_OUT]);
});

describe("with one import planted for each pair of rooms, exactly the forbidden ones are refused", () => {
  it.each(ROOMS)("from app/%s", (room) => {
    const pairs = PAIRS.filter((pair) => pair.room === room);
    expect(pairs.filter(({ from }) => broken.has(from)).map(({ to }) => to)).toEqual(
      pairs.filter(({ allowed }) => !allowed).map(({ to }) => to),
    );
  });

  it.each(WAYS_OUT)("$way counts as an import", ({ from }) => {
    expect(broken.get(from)).toContain("room-ui");
  });
});

describe("special rules", () => {
  it.each(SPECIAL_BORDERS.filter(([, , rule]) => rule !== undefined))(
    "%s may not import %s (%s)",
    (from, _to, rule) => {
      expect(broken.get(from)).toContain(rule);
    },
  );

  it.each(SPECIAL_BORDERS.filter(([, , rule]) => rule === undefined))("%s may import %s", (from) => {
    expect(broken.get(from)).toBeUndefined();
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
