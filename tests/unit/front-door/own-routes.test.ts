import { expect, it } from "vitest";
import { ownRoutes } from "~/front-door/own-routes";

const routes = {
  root: { path: "" },
  start: { index: true, parentId: "root" },
  signIn: { path: "home", index: true, parentId: "root" },
  unknown: { path: "home/*", parentId: "root" },
  session: { parentId: "root" },
  code: { path: "home/mfa", parentId: "session" },
  policies: { path: "cp", index: true, parentId: "session" },
  policy: { path: "cp/policy/:id", parentId: "session" },
  section: { path: "section", parentId: "root" },
  overview: { index: true, parentId: "section" },
};

it("an address without parameters has its own routes, from the root, with the layouts around it", () => {
  const own = ownRoutes(routes);
  expect(own.get("/")).toEqual(["root", "start"]);
  expect(own.get("/home")).toEqual(["root", "signIn"]);
  expect(own.get("/home/mfa")).toEqual(["root", "session", "code"]);
});

it("the index of a section comes before the section itself", () => {
  expect(ownRoutes(routes).get("/section")).toEqual(["root", "section", "overview"]);
});

it("an address with parameters has no own routes: it is looked for among all of them", () => {
  const patterns = [...ownRoutes(routes).keys()];
  expect(patterns.some((pattern) => /[:*]/.test(pattern))).toBe(false);
  expect(ownRoutes(routes).has("/cp/policy/7")).toBe(false);
});
