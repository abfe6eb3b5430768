import { beforeAll, expect, test } from "vitest";
import type { Portal } from "../portal";
import { Visitor } from "../visitor";
import { sharedAttachedPortal, type HostileBackend } from "./hostile-backend";

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});

const ASKS: readonly string[] = ["registerInit", "passwordResetInit", "loginRemindInit"];

/** The number of codes requested while one browser sends these forms. */
async function askedFor(path: string, forms: readonly Readonly<Record<string, string>>[]): Promise<number> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  backend.reset();
  for (const form of forms) expect((await visitor.post(path, form)).status).toBe(303);
  return backend.received.filter(({ name }) => ASKS.includes(name)).length;
}

const claim = { policyNo: "POL-100001", pid: "FB123456" };

test.each([
  ["/home/register", claim, { ...claim, pid: " fb123456 " }, { ...claim, pid: "FB123457" }],
  ["/home/reset-password-init", { username: "anna" }, { username: " anna " }, { username: "hanna" }],
  ["/home/remind-login-init", { policyNo: "POL-1" }, { policyNo: " POL-1" }, { policyNo: "POL-2" }],
] as const)(
  "%s: the same data within a minute goes on without another code; other data sends one",
  async (path, first, same, other) => {
    expect(await askedFor(path, [first, same, first])).toBe(1);
    expect(await askedFor(path, [first, other, first])).toBe(3);
  },
);
