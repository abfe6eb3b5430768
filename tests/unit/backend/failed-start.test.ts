import { afterEach, describe, expect, it, vi } from "vitest";
import { openBackend } from "~/backend/open-backend.server";
import type { SmsGateway } from "~/backend/messages/gateway.server";
import { hasPostgres } from "../../database";
import { testOptions } from "./test-backend";
import { emptyPlace } from "./test-place";

/** PostgreSQL's code for an unknown function. */
const NO_SUCH_FUNCTION = "42883";
const sms: SmsGateway = { name: "webhook", send: () => Promise.resolve({ kind: "accepted" }) };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

// On SQLite nothing can fail once the first work has started.
describe.skipIf(!hasPostgres)("a backend whose start fails after its first work has started", () => {
  it("stops that work, and leaves nothing running", async () => {
    const place = await emptyPlace("postgres");
    await place.query("drop function audit_watermark()");
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const begun = vi.spyOn(globalThis, "setInterval");
    await expect(openBackend({ ...testOptions(place), sms })).rejects.toThrow(NO_SUCH_FUNCTION);
    expect(begun).toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
