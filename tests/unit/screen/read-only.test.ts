import { beforeEach, describe, expect, it, vi } from "vitest";
import { readOnly } from "~/screen/read-only.server";
import { reset } from "../session/backend-stub";
import { endOf, visitOf, type Who } from "../session/visit";

vi.mock("~/client/send-to-backend.server", () => import("../session/backend-stub"));

beforeEach(reset);

describe("a form sent to a screen that has none", () => {
  const posting = (who: Who, audience?: "signed-in") =>
    endOf(
      visitOf(who, "/cp/contact", { method: "POST" }).run((request) =>
        readOnly(audience)({ request, params: {}, context: {} }),
      ),
    );

  it("meets the gate first, then 405", async () => {
    expect(await posting("signed out", "signed-in")).toEqual({ kind: "redirect", status: 303, to: "/home" });
    expect(await posting("pending", "signed-in")).toEqual({ kind: "redirect", status: 303, to: "/home/mfa" });
    expect(await posting("signed in", "signed-in")).toMatchObject({ kind: "thrown", status: 405 });
  });

  it("that everybody may see is 405 for everybody", async () => {
    for (const who of ["without consent", "signed out", "signed in"] as const) {
      expect(await posting(who)).toMatchObject({ kind: "thrown", status: 405 });
    }
  });
});
