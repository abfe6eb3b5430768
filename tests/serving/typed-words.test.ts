import { expect, test } from "vitest";
import { Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();

const PASSWORD = "Zle-Haslo-Kanarek-1";

/** Forms that the portal or the backend refuses, with what was typed, and the fields that come back. */
const REFUSED: readonly (readonly [string, string, Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    "a sign-in with a wrong password",
    "/home?index",
    { username: "nikt.taki", password: PASSWORD },
    ["username"],
  ],
  ["a sign-in without a password", "/home?index", { username: "nikt.taki", password: "" }, ["username"]],
  ["a registration without an identifier", "/home/register", { policyNo: "POL-9" }, ["policyNo"]],
  [
    "a reset with too long a username",
    "/home/reset-password-init",
    { username: "a".repeat(5000) },
    ["username"],
  ],
];

test.each(REFUSED)("%s shows again what was typed, and no password", async (_what, path, typed, kept) => {
  const visitor = new Visitor(portal);
  await visitor.accept();
  const { status, body } = await visitor.post(path, typed);
  expect(status).toBe(400);
  for (const field of kept) expect(valueOf(body, field)).toBe(typed[field]);
  expect(body).not.toContain(PASSWORD);
});

/** What stands in a field of a page. */
function valueOf(page: string, field: string): string | undefined {
  const input = [...page.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .find((tag) => tag.includes(`name="${field}"`));
  return input && / value="([^"]*)"/.exec(input)?.[1];
}
