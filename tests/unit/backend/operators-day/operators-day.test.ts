import { expect, it, onTestFinished } from "vitest";
import { onEachDatabase } from "../../../database";
import { KRYSTYNA } from "../../../demo-customers";
import { ACT } from "../../../operator-command";
import { HAS_NGINX } from "../../../topology/nginx";
import { KANAREK } from "../person-steps";
import { newKey, prepare } from "./installation";
import * as customer from "./customer";
import * as operator from "./operator";

/** It takes 20 seconds on a quiet machine. */
const DAY_MS = 600_000;

onEachDatabase((kind) => {
  it.runIf(HAS_NGINX)(
    "an operator gets through a day with the commands alone, while customers use the portal",
    { timeout: DAY_MS },
    async () => {
      const [first, second] = [newKey(1), newKey(2)];
      const day = await prepare(kind, first);
      onTestFinished(() => day.remove());

      operator.installs(day);
      operator.findsNoProblem(day);
      await day.start();
      operator.imports(day, KANAREK.name, "Policyholders: 3 new, 0 changed, 0 unchanged; documents: 1 new");
      operator.imports(day, KANAREK.name, "Policyholders: 0 new, 0 changed, 3 unchanged; documents: 0 new");

      const zenobia = await customer.registers(day, KANAREK);
      await customer.locksThemselvesOut(zenobia);
      const accountId = operator.seesTheLock(day);
      expect(day.does("account", "unlock", "--account", accountId, ...ACT)).toContain("lifted 1 timed lock");
      await zenobia.browser.signIn(zenobia.account, true);

      operator.imports(day, "Zenobia Nowa", "Policyholders: 0 new, 1 changed, 2 unchanged");
      expect(await customer.nameShownTo(zenobia)).toBe("Zenobia Nowa");
      operator.exports(day, "Zenobia Nowa");

      const restore = operator.backsUp(day);
      await customer.changesPassword(day, zenobia);
      await day.stop();
      await restore();
      await day.start();
      await customer.hasToBeginAgain(zenobia);

      operator.sealsTheAudit(day);
      await day.start(`${first},${second}`);
      await day.start(`${second},${first}`);
      expect(day.does("rewrap-keys")).toContain("Still under key 1: 1 passwords not used since then");
      await customer.signsInElsewhere(day, zenobia);
      expect(day.does("rewrap-keys")).toContain("Still under key 1: 1 codes");
      await operator.purgesTenMinutesLater(day);
      expect(day.does("rewrap-keys")).toContain("Under key 1: nothing left; you can remove it");
      await day.start(second);
      await customer.signsInElsewhere(day, zenobia);

      operator.sealsTheAudit(day);
      operator.seesTheDay(day, accountId);
      operator.erases(day, accountId);
      await customer.isUnknown(day, zenobia);
      await customer.registers(day, KRYSTYNA);
      operator.sealsTheAudit(day);
      expect(operator.verifiesTheAudit(day)).toEqual({ code: 0, unsealed: 0, findings: [] });

      expect(day.does("purge")).toContain("Months of the audit archived: none");
      operator.findsNoProblem(day);
      await day.query("update audit_events set reason = 'none' where event = 'account-unlocked'");
      expect(operator.verifiesTheAudit(day)).toMatchObject({ code: 1, findings: [expect.any(String)] });
    },
  );
});
