import { beforeEach, describe, expect, it } from "vitest";
import { isOfferedPasskeys, offerNoPasskey } from "~/journeys/kit/passkey-sign-in";
import { openVisit } from "~/visit/visit.server";
import { json, replies, reset } from "../visit/backend-stub";
import { type RouteArgs, visitOf } from "../visit/visit";

beforeEach(reset);

/** A page of a signed-in customer in a browser with this cookie. */
function pageOf(username: string, passkeys?: string) {
  const page = visitOf("signed in", "/cp", passkeys === undefined ? {} : { cookies: { passkeys } });
  replies.userInfo = () => json(200, { name: "Klient", username });
  return page;
}

const isOffered = async (username: string, passkeys?: string) =>
  pageOf(username, passkeys).run(async (args: RouteArgs) => isOfferedPasskeys(await openVisit(args)));

/** Puts the offer away, and returns what the cookie holds then. */
async function putAway(username: string, passkeys?: string): Promise<string> {
  const page = pageOf(username, passkeys);
  await page.run(async (args) => offerNoPasskey(await openVisit(args)));
  return page.cookie("passkeys") ?? "";
}

describe("the offer of a passkey", () => {
  it("that one customer has put away still reaches the other who uses the browser", async () => {
    expect(await isOffered("anna.nowak")).toBe(true);
    const annas = await putAway("anna.nowak");
    expect(await isOffered("anna.nowak", annas)).toBe(false);
    expect(await isOffered("piotr.wisniewski", annas)).toBe(true);
    const both = await putAway("piotr.wisniewski", annas);
    expect([await isOffered("anna.nowak", both), await isOffered("piotr.wisniewski", both)]).toEqual([
      false,
      false,
    ]);
  });

  it("is remembered for four accounts, and names none of them", async () => {
    let kept = "known";
    for (let nth = 0; nth < 9; nth += 1) kept = await putAway(`klient${nth % 5}`, kept);
    expect(kept).toMatch(/^[\w-]{16}(\.[\w-]{16}){3}$/);
    expect(await isOffered("klient3", kept)).toBe(false);
    expect(await isOffered("klient4", kept)).toBe(true);
  });
});
