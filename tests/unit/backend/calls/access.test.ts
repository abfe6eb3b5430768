import { expect, it } from "vitest";
import type { Handler } from "~/backend/calls/handlers.server";
import { startDocumentPassword } from "~/backend/accounts/document-password.server";

it("a service that needs an active session can't be registered for a call that admits other callers", () => {
  const run = startDocumentPassword;
  const active: Handler<"documentPasswordInit"> = { run };
  // @ts-expect-error: anyone may call passwordResetInit, so there may be no session.
  const open: Handler<"passwordResetInit"> = { run };
  // @ts-expect-error: activateSessionInit admits pending sessions.
  const pending: Handler<"activateSessionInit"> = { run };
  expect([active, open, pending]).toEqual([{ run }, { run }, { run }]);
});
