import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openBackend } from "~/backend/index.server";
import type { SmsGateway } from "~/backend/sms/gateway.server";
import { hasPostgres } from "../../database";
import { testOptions } from "./test-backend";
import { emptyPlace } from "./test-place";

/** As an SQLSTATE. */
const NO_SUCH_FUNCTION = "42883";
const sms: SmsGateway = { name: "webhook", send: () => Promise.resolve({ kind: "accepted" }) };

// On SQLite nothing can fail once the first work has started.
describe.skipIf(!hasPostgres)("a backend whose start fails after its first work has started", () => {
  it("finishes that work before it closes the database, and leaves nothing running", async () => {
    const place = await emptyPlace("postgres");
    await place.query("drop function audit_watermark()");
    const logged: string[] = [];
    const options = testOptions(place, (line) => logged.push(line));
    const limits = { ...options.limits, SMS_POLL_MS: 5, PURGE_SECONDS: 0.005 };
    await expect(openBackend({ ...options, limits, sms })).rejects.toThrow(NO_SUCH_FUNCTION);
    await wait(100);
    // Work that goes on without its database would fail, again and again.
    expect(logged).toEqual([]);
  });
});
