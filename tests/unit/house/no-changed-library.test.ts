import { Linter } from "eslint";
import parser from "typescript-eslint";
import { expect, test } from "vitest";
import { NO_CHANGED_LIBRARY } from "../../../scripts/eslint/no-changed-library.js";

const messages = (code: string) =>
  new Linter().verify(code, {
    languageOptions: { parser: parser.parser },
    rules: { "no-restricted-syntax": ["error", ...NO_CHANGED_LIBRARY] },
  });

test.each([
  'import { UNSAFE_convertRoutesToDataRoutes } from "@remix-run/router";',
  'import { something } from "kysely/dist/esm/driver/connection-mutex.js";',
  "Response.prototype.json = () => undefined;",
  "Kysely.prototype = {};",
  "globalThis.contexts = new WeakMap();",
  "const home = globalThis as { contexts?: object };",
  "Error.stackTraceLimit = 0;",
  "response.writeHead = () => response;",
  "socket.destroySoon = () => undefined;",
  "Object.setPrototypeOf(response, mine);",
  'server.removeAllListeners("request");',
  'import { subscribe } from "node:diagnostics_channel";',
])("lint refuses %s", (code) => {
  expect(messages(code).map(({ ruleId }) => ruleId)).toContain("no-restricted-syntax");
});

test("and nothing that uses a library as it is", () => {
  const code = `import { createRequest } from "@remix-run/node-fetch-server";
    import { jsx } from "react/jsx-runtime";
    NetServer.prototype.close.call(this);
    const { origin } = globalThis.location;`;
  expect(messages(code)).toEqual([]);
});
