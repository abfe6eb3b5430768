import { expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser } from "../../../../contract/browser";
import { onEachDatabase } from "../../../../database";
import { ANNA } from "../../../../demo-customers";
import { openTestBackend } from "../../../../unit/backend/test-backend";

const REMIND = "/home/api/user/login-remind/init";

onEachDatabase((kind) => {
  it("[S106] twelve addresses that use up the open caps as shipped cost nobody a sign-in code", async () => {
    const way = await openTestBackend({ kind, limits: defaultLimits("production") });
    for (let address = 0; address < 12; address += 1) {
      for (let nth = 0; nth < 30; nth += 1)
        await new Browser(way, `203.0.113.${address}`).post(REMIND, { policyNo: `POL-80${address}${nth}` });
      const one = new Browser(way, `203.0.113.${address}`);
      expect((await one.post(REMIND, { policyNo: ANNA.policyNo })).status).toBe(429);
    }
    await new Browser(way, "198.51.100.1").signIn(ANNA);
    await way.close();
  });
});
