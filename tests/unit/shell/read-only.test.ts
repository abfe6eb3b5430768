import { beforeEach, describe, expect, it } from "vitest";
import { readOnly } from "~/shell/read-only.server";
import { signedIn } from "~/visit/gate.server";
import { reset } from "../visit/backend-stub";
import { endOf, visitOf, type Who } from "../visit/visit";

beforeEach(reset);

describe("a form sent to a screen that has none", () => {
  const posting = (who: Who, gate?: typeof signedIn) =>
    endOf(visitOf(who, "/cp/contact", { method: "POST" }).run(readOnly(gate)));

  it("meets the gate first, and then gets 405", async () => {
    expect(await posting("signed out", signedIn)).toEqual({ kind: "redirect", status: 303, to: "/home" });
    expect(await posting("pending", signedIn)).toEqual({ kind: "redirect", status: 303, to: "/home/mfa" });
    expect(await posting("signed in", signedIn)).toMatchObject({ kind: "thrown", status: 405 });
  });

  it("gets 405 from every visitor if the screen is open to every visitor", async () => {
    for (const who of ["without consent", "signed out", "signed in"] as const) {
      expect(await posting(who)).toMatchObject({ kind: "thrown", status: 405 });
    }
  });
});
