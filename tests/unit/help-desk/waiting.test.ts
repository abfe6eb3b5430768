import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onAnyDatabase, onRacingDatabase } from "../../database";
import { ANNA, MARIA } from "../../demo-customers";
import { fifty } from "../backend/test-backend";
import { EWA, hiddenFields, JAN, openDeskBeside, wordsOf, type DeskBeside, type StaffBrowser } from "./staff";

const PAWEL = { sub: "u-20", name: "pawel.m", mayAct: true };

const stateOf = async ({ way }: DeskBeside) =>
  (await way.query("select state from accounts where username = ?", ANNA.username))[0]?.["state"];

onAnyDatabase((kind) => {
  describe("with HELP_DESK_APPROVAL=on, a grave act", () => {
    let beside: DeskBeside;
    let ewa: StaffBrowser;
    let jan: StaffBrowser;
    beforeEach(async () => {
      beside = await openDeskBeside(kind, { HELP_DESK_APPROVAL: "on" });
      [ewa, jan] = [await beside.as(EWA), await beside.as(JAN)];
      await ewa.open(ANNA.username);
      await ewa.does("disable");
    });
    afterEach(() => beside.close());

    const state = () => stateOf(beside);

    it("[S97] is one that lifts a person's lock, too", async () => {
      await ewa.open(MARIA.username);
      expect(wordsOf(await ewa.does("unlock"))).toContain("Odblokuj konto: zmiana czeka na drugą osobę.");
      const [{ state: kept }] = (await beside.way.query(
        "select state from accounts where username = ?",
        MARIA.username,
      )) as [{ state: string }];
      expect(kept).toBe("locked");
      expect(wordsOf(await jan.decides("approve"))).toContain("Zmiana zatwierdzona i wykonana.");
    });

    it("[S97] can't be approved by whoever asked, not even by a forged form, which is audited", async () => {
      await ewa.does("enable");
      expect(wordsOf((await ewa.get("/help-desk/waiting")).text)).not.toContain("Zatwierdź:");
      expect(wordsOf(await ewa.decides("approve"))).toContain("Własnej prośby nie możesz zatwierdzić");
      expect((await beside.acts()).at(-1)).toMatchObject({
        event: "staff-refused",
        reason: "their own request: call 1234",
      });
      expect(await state()).toBe("disabled");
    });

    it("lapses after a quarter of an hour", async () => {
      await ewa.does("enable");
      beside.advance(15 * 60_000);
      jan = await beside.as(JAN);
      expect(wordsOf((await jan.get("/help-desk/waiting")).text)).toContain("Żadna zmiana nie czeka");
      const [{ id } = { id: "" }] = await beside.way.query("select id from staff_requests");
      const late = await jan.post("/help-desk/waiting", { id: String(id), intent: "approve" });
      expect(late.location).toBe("/help-desk/waiting");
      expect(wordsOf((await jan.get("/help-desk/waiting")).text)).toContain("minęło 15 minut");
      expect(await state()).toBe("disabled");
    });

    it("says what became of it once, and not because a link says so", async () => {
      await ewa.does("enable");
      expect(wordsOf(await jan.decides("approve"))).toContain("Zmiana zatwierdzona i wykonana.");
      for (const path of ["/help-desk/waiting", "/help-desk/waiting?done=approved"])
        expect(wordsOf((await jan.get(path)).text)).not.toContain("Zmiana zatwierdzona");
    });

    it("can be declined, or taken back by whoever asked, and both are audited", async () => {
      for (const [by, said] of [
        [jan, "Zmiana odrzucona"],
        [ewa, "Prośba wycofana"],
      ] as const) {
        await ewa.does("enable");
        expect(wordsOf(await by.decides("decline"))).toContain(said);
      }
      expect(await state()).toBe("disabled");
      expect((await beside.acts()).map(({ event }) => event)).toEqual([
        "account-disabled",
        "act-asked",
        "act-declined",
        "act-asked",
        "act-declined",
      ]);
    });

    it("shows the second person whom it is about, as the asker saw them, and opens them", async () => {
      await ewa.does("enable");
      const { text } = await jan.get("/help-desk/waiting");
      for (const words of ["Anna Nowak", "ur. 1985", "POL-100001", "Stan wyłączone", "Telefon ••• ••• 001"])
        expect(wordsOf(text)).toContain(words);
      const { hit = "" } = hiddenFields(text);
      expect((await jan.post("/help-desk", { hit })).location).toBe("/help-desk/customer");
      expect(wordsOf((await jan.get("/help-desk/customer")).text)).toContain("Powód: call 1234");
      expect(wordsOf((await jan.get("/help-desk/waiting")).text)).toContain("Wróć do klienta");
    });

    it("isn't done if the customer has changed since", async () => {
      await ewa.does("enable");
      await jan.open(ANNA.username);
      await jan.does("expire");
      expect(wordsOf(await jan.decides("approve"))).toContain("trzeba poprosić jeszcze raz");
      expect(await state()).toBe("expired");
      expect(await beside.way.query("select id from staff_requests")).toEqual([]);
      expect((await beside.acts()).at(-1)).toMatchObject({
        event: "act-declined",
        operator: "jan.k (u-18)",
        reason: "enable: the customer has changed: call 1234",
      });
    });

    it("needs a fresh sign-on of the second person, and nobody approves for themselves", async () => {
      await ewa.does("enable");
      const { id = "" } = hiddenFields((await jan.get("/help-desk/waiting")).text);
      beside.advance(6 * 60_000);
      const stale = await jan.post("/help-desk/waiting", { id, intent: "approve" });
      expect(stale.location).toBe("/help-desk/sign-on?back=%2Fhelp-desk%2Fwaiting&fresh=1");
      const anna = await beside.as({ ...JAN, phone: ANNA.phone });
      expect((await anna.post("/help-desk/waiting", { id, intent: "approve" })).status).toBe(403);
      expect(await state()).toBe("disabled");
    });
  });
});

onRacingDatabase((kind) => {
  it("[S97] with HELP_DESK_APPROVAL=on, a grave act waits for a second person, and is done once when they approve it", async () => {
    const beside = await openDeskBeside(kind, { HELP_DESK_APPROVAL: "on" });
    const [ewa, jan] = [await beside.as(EWA), await beside.as(JAN)];
    await ewa.open(ANNA.username);
    await ewa.does("disable");
    const form = await ewa.form("enable");
    await fifty(() => ewa.post("/help-desk/act/enable", form));
    expect(await stateOf(beside)).toBe("disabled");
    const customer = wordsOf((await ewa.get("/help-desk/customer")).text);
    expect(customer).toContain("Włącz konto: zmiana czeka na drugą osobę.");
    expect(customer).toMatch(/„Włącz konto” czeka na zatwierdzenie do 13:15\. Do zatwierdzenia/);
    // It is offered once.
    expect(customer.match(/Włącz konto/g)).toHaveLength(2);
    expect(wordsOf((await jan.get("/help-desk")).text)).toContain("Do zatwierdzenia (1)");
    const { text } = await jan.get("/help-desk/waiting");
    expect(wordsOf(text)).toContain("Anna Nowak");
    const { id = "" } = hiddenFields(text);
    const said = await fifty(async (nth) => {
      const by = await beside.as(nth % 2 === 0 ? JAN : PAWEL);
      const { location = "" } = await by.post("/help-desk/waiting", { id, intent: "approve" });
      return wordsOf((await by.get(location)).text);
    });
    expect(await stateOf(beside)).toBe("active");
    const approved = said.filter((words) => words.includes("Zmiana zatwierdzona i wykonana."));
    const over = said.filter((words) => words.includes("Ta prośba jest już rozpatrzona"));
    expect([approved.length, over.length]).toEqual([1, 49]);
    const acts = (await beside.acts()).slice(1);
    expect(acts.map(({ event }) => event)).toEqual(["act-asked", "account-enabled"]);
    expect(acts[0]).toMatchObject({ operator: "ewa.z (u-17)", reason: "enable: call 1234" });
    expect(acts[1]?.["operator"]).toMatch(/^(jan\.k \(u-18\)|pawel\.m \(u-20\))$/);
    expect(acts[1]?.["reason"]).toBe("call 1234; asked by ewa.z (u-17)");
    await beside.close();
  });
});
