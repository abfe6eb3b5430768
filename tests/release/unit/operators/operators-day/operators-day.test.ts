import { expect, it, onTestFinished } from "vitest";
import { onAnyDatabase } from "../../../../database";
import { KRYSTYNA } from "../../../../demo-customers";
import { ACT, BUILD_ID, runBuiltCommand } from "../../../../operator-command";
import { HAS_NGINX } from "../../../../topology/nginx";
import { KANAREK } from "../../../../unit/operators/person-steps";
import { type Installation, newKey, prepare } from "./installation";
import * as customer from "./customer";
import * as operator from "./operator";

/** On PostgreSQL the operator's timer purges, and has not yet. */
const NOT_PURGED = { name: "last purge", level: "warning" };

onAnyDatabase((kind) => {
  it.runIf(HAS_NGINX)(
    "an operator gets through a day with the commands alone, while customers use the portal",
    async () => {
      const [first, second] = [newKey(1), newKey(2)];
      const day = await prepare(kind, first);
      onTestFinished(() => day.remove());

      expect(/\(build (\S+),/.exec(runBuiltCommand({}, ["--version"]).stdout)?.[1]).toMatch(BUILD_ID);
      await operator.upgrades(day);
      await day.start();
      await operator.findsNoProblem(day, ...(kind === "postgres" ? [NOT_PURGED] : []));
      await operator.triesTheGateway(day);
      await operator.imports(day, {}, "Policyholders: 3 new, 0 changed, 0 unchanged; documents: 1 new");
      await operator.imports(day, {}, "Policyholders: 0 new, 0 changed, 3 unchanged; documents: 0 new");

      const zenobia = await customer.registers(day, KANAREK);
      await customer.locksThemselvesOut(zenobia);
      const accountId = await operator.seesTheLock(day);
      expect(await day.does("account", "unlock", "--account", accountId, ...ACT)).toContain(
        "\ntimedLocks: 1\n",
      );
      await zenobia.browser.signIn(zenobia.account, true);

      await operator.imports(day, RENAMED, "Policyholders: 0 new, 1 changed, 2 unchanged");
      await operator.refusesABrokenFile(day);
      expect(await customer.nameShownTo(zenobia)).toBe(RENAMED.name);
      await operator.exports(day, RENAMED.name);
      await closesForALittle(day, zenobia);

      const restore = await operator.backsUp(day);
      await customer.changesPassword(day, zenobia);
      await day.stop();
      await restore();
      await day.start();
      await customer.hasToBeginAgain(zenobia);

      await operator.sealsTheAudit(day);
      await day.start(`${first},${second}`);
      await day.start(`${second},${first}`);
      expect(await day.does("rewrap-keys")).toContain(
        "  - version: 1\n    left:\n      passwords not used since then: 1\n",
      );
      await customer.signsInElsewhere(day, zenobia);
      expect(await day.does("rewrap-keys")).toContain("  - version: 1\n    left:\n      codes: 1\n");
      await operator.purgesAMonthLater(day);
      expect(await day.does("rewrap-keys")).toContain("  - version: 1\n    left: none\n");
      await day.start(second);
      await customer.signsInElsewhere(day, zenobia);

      await operator.sealsTheAudit(day);
      await operator.seesTheDay(day, accountId);
      await operator.erases(day, accountId);
      await customer.isUnknown(day, zenobia);
      await customer.registers(day, KRYSTYNA);
      await operator.sealsTheAudit(day);
      expect(await operator.verifiesTheAudit(day)).toEqual({ code: 0, unsealed: 0, findings: [] });

      expect(await day.does("purge")).toContain("\narchived: none\n");
      await operator.findsNoProblem(day);
      await day.query("update audit_events set reason = 'none' where event = 'account-unlocked'");
      expect(await operator.verifiesTheAudit(day)).toMatchObject({ code: 1, findings: [expect.any(String)] });
    },
  );
});

const RENAMED = { name: "Zenobia Nowa" };
/** Customers are told of planned work, and can't get in while it lasts. */
async function closesForALittle(day: Installation, zenobia: customer.Customer) {
  const text = "Portal zamkniemy o 22:00.";
  await operator.announces(day, text);
  await customer.seesTheirArea(zenobia, ({ body }) => body.includes(text));
  await operator.closesThePortal(day);
  await customer.seesTheirArea(
    zenobia,
    ({ status, body }) => status === 503 && body.includes("Trwają prace techniczne"),
  );
  await day.does("maintenance", "off", ...ACT);
  await customer.seesTheirArea(zenobia, ({ status, body }) => status === 200 && body.includes(text));
  await day.does("announce", "off", ...ACT);
  await customer.seesTheirArea(zenobia, ({ body }) => !body.includes(text));
}
