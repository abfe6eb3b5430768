import { describe, expect, it } from "vitest";
import { metrics } from "~/platform/metrics.server";
import { PURPOSES } from "~/contract/purposes";

const { registry, signIns, codesSent, smsQueue } = metrics();
const NAMES = registry.getMetricsAsArray().map(({ name }) => name);

describe("the metrics", () => {
  it.each(NAMES)("%s is named as Prometheus has it", (name) => {
    expect(name).toMatch(/^portal_[a-z]+(_[a-z]+)*$/);
    const { type } = registry.getSingleMetric(name) as unknown as { type: string };
    expect(name.endsWith("_total")).toBe(type === "counter");
    if (type === "histogram") expect(name).toMatch(/_seconds$/);
  });

  it("are there from the start, at zero, so that the first event is a rise", async () => {
    const text = await registry.metrics();
    expect(text).toContain('portal_sign_ins_total{result="wrong"} 0');
    for (const purpose of PURPOSES) expect(text).toContain(`portal_codes_sent_total{purpose="${purpose}"} 0`);
  });

  it("count", async () => {
    signIns.inc({ result: "wrong" });
    codesSent.inc({ purpose: "login" }, 2);
    const text = await registry.metrics();
    expect(text).toContain('portal_sign_ins_total{result="wrong"} 1');
    expect(text).toContain('portal_codes_sent_total{purpose="login"} 2');
  });

  it("say that a level is not known, when nobody can look it up", async () => {
    smsQueue.feed(() => ({ messages: 3, oldestSeconds: 12 }));
    await smsQueue.refresh();
    expect(await registry.metrics()).toContain("portal_sms_queue_messages 3");
    smsQueue.feed(() => Promise.reject(new Error("the database is gone")));
    await smsQueue.refresh();
    expect(await registry.metrics()).toMatch(/^portal_sms_queue_messages nan$/im);
  });
});
