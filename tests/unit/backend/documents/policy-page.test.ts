import { expect, it, onTestFinished, vi } from "vitest";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { SHARED_PDF_WORK } from "./shared-pdf-work";
import { openTestBackend } from "../test-backend";
import { signIn } from "../notices/notice-steps";

it("a policy's page starts the thread for its documents; a list and another's policy don't", async () => {
  const warm = vi.fn();
  const way = await openTestBackend({ pdf: { ...SHARED_PDF_WORK, warm } });
  onTestFinished(() => way.close());
  const browser = await signIn(way, ANNA);
  const { policies } = (await browser.get("/cp/api/policies")).body as { policies: { id: string }[] };
  expect((await browser.get("/cp/api/policies/00000000-0000-4000-8000-000000000000")).status).toBe(404);
  expect((await new Browser(way).get(`/cp/api/policies/${policies[0]?.id ?? ""}`)).status).toBe(401);
  expect(warm).not.toHaveBeenCalled();
  expect((await browser.get(`/cp/api/policies/${policies[0]?.id ?? ""}`)).status).toBe(200);
  expect(warm).toHaveBeenCalledOnce();
});
