import { expect, it } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { openVisit } from "~/visit/visit.server";
import { visit } from "./visit";

/** A posted form whose head promises less than its body has. */
async function posted(body: string): Promise<URLSearchParams> {
  const { context } = visit("/home", { method: "POST" });
  const request = new Request("http://portal.example/home", {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "3" },
    body,
  });
  return (await openVisit({ request, context })).posted();
}

it("[S63] a form is read up to its limit, and a longer one answered with 413", async () => {
  const longest = `a=${"b".repeat(LIMITS.FORM_BODY_BYTES - 2)}`;
  expect((await posted(longest)).get("a")).toHaveLength(LIMITS.FORM_BODY_BYTES - 2);
  await expect(posted(`${longest}b`)).rejects.toMatchObject({ status: 413 });
});

it("a form is read once, however many loaders and actions ask for it", async () => {
  const { context } = visit("/home", { method: "POST" });
  const request = new Request("http://portal.example/home", { method: "POST", body: "a=b" });
  const [first, second] = [await openVisit({ request, context }), await openVisit({ request, context })];
  expect((await first.posted()).get("a")).toBe("b");
  expect((await second.posted()).get("a")).toBe("b");
});
