import { expect, it } from "vitest";
import { json, type Handler } from "~/backend/handlers.server";
import type { startDocumentPassword } from "~/backend/services/accounts/document-password.server";

it("a service that needs an active session can't be registered for a call that admits other callers", () => {
  type Service = typeof startDocumentPassword;
  const active: (service: Service) => Handler<"documentPasswordInit"> = json;
  // @ts-expect-error: anyone may call registerInit, so there may be no session.
  const open: (service: Service) => Handler<"registerInit"> = json;
  // @ts-expect-error: activateSessionInit admits pending sessions.
  const pending: (service: Service) => Handler<"activateSessionInit"> = json;
  expect([active, open, pending]).toEqual([json, json, json]);
});
