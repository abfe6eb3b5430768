import { describe, expect, it } from "vitest";
import { eventHash, type StoredEvent } from "~/backend/audit/event-hash.server";

const EVENT: StoredEvent = {
  seq: 7,
  id: "event-7",
  happened_at: 1_700_000_000_000,
  event: "signed-in",
  account_id: "anna",
  subject: null,
  purpose: "login",
  address: "192.0.2.7",
  request_id: "request-7",
  device_name: "Firefox",
  operator: null,
  reason: null,
  erased_hash: null,
};

/** Every column that somebody could change, with another value: one without a line here doesn't compile. */
const CHANGED: Omit<StoredEvent, "seq" | "erased_hash"> = {
  id: "event-8",
  happened_at: 1_699_999_999_999,
  event: "signed-out",
  account_id: "jan",
  subject: "a typed username",
  purpose: "password",
  address: "198.51.100.7",
  request_id: "request-8",
  device_name: "",
  operator: "kowalski",
  reason: "asked by phone",
};

describe("[S95] the hash that a seal vouches for", () => {
  it.each(Object.entries(CHANGED))("shows a change of %s", (column, value) => {
    expect(eventHash({ ...EVENT, [column]: value })).not.toBe(eventHash(EVENT));
  });

  it("shows a value that was moved to another column", () => {
    const moved = { ...EVENT, account_id: null, subject: EVENT.account_id };
    const staff = { ...EVENT, operator: "kowalski" };
    const reasoned = { ...EVENT, reason: "kowalski" };
    const all = [EVENT, moved, staff, reasoned].map(eventHash);
    expect(new Set(all).size).toBe(all.length);
  });
});
