import { beforeEach, expect, it } from "vitest";
import { action } from "~/journeys/logout/logout";
import { calls, empty, replies, reset } from "../visit/backend-stub";
import { CONSENT, endOf, SESSION, visit } from "../visit/visit";

beforeEach(reset);

it("[S37] the form that signs out ends the session at the backend", async () => {
  replies.deleteSession = () => empty(204, { "Set-Cookie": "session=; Max-Age=0; Path=/; HttpOnly" });
  const leaving = visit("/home/logout", { method: "POST", cookies: { ...CONSENT, session: SESSION } });
  const { url, headers } = leaving.request;
  const request = new Request(url, {
    method: "POST",
    headers,
    body: new URLSearchParams({ intent: "sign-out" }),
  });
  await endOf(leaving.run(({ context }) => action({ request, context, params: {} })));
  expect(calls).toContain("deleteSession");
});
