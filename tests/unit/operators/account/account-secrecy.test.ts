import { expect, it } from "vitest";
import { commandNames } from "../../../command-names";
import { Browser, latestCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addApp } from "../../../factor-steps";
import { ACT } from "../../../operator-command";
import { lock, signIn } from "../../backend/notices/notice-steps";
import { COMMANDS, openHelpDesk } from "./help-desk";

onAnyDatabase((kind) => {
  it("[S97] no command on an account prints a secret or a whole identifier, even one it was given", async () => {
    const desk = await openHelpDesk(kind);
    const browser = await signIn(desk.way, ANNA, "Y");
    const app = await addApp(desk.way, browser, ANNA, desk.now);
    const factor = [app.secret, String(app.recoveryCode)];
    const pending = new Browser(desk.way);
    await pending.login(ANNA);
    await lock(desk.way);
    const cookies = [browser, pending].flatMap((held) => [...held.cookies.values()]);

    expect([...COMMANDS, "find"].toSorted()).toEqual((await commandNames("account")).toSorted());
    const printed: string[] = [];
    for (const [by, value] of [
      ["--name", ANNA.name],
      ["--phone", ANNA.phone],
    ] as const)
      for (const form of [[], ["--json"]]) {
        const { code, stdout } = await desk.run(["find", by, "-", ...form, ...ACT], value);
        expect([code, stdout]).toEqual([0, expect.stringContaining(ANNA.name)]);
        printed.push(stdout);
      }
    printed.push((await desk.run(["find", "--name", ANNA.name, ...ACT])).stderr);
    for (const name of COMMANDS)
      for (const [words, input] of [
        [["--username", ANNA.username]],
        [["--pid", "-", "--json"], ANNA.pid],
      ] as const) {
        const { code, stdout, stderr } = await desk.run([name, ...words, ...ACT], input);
        expect([code, stderr], name).toEqual([0, ""]);
        printed.push(stdout);
      }
    // A complaint about the command line doesn't repeat it either.
    for (const words of [
      ["--policy-no", ANNA.policyNo, "--username", ANNA.username],
      ["--pid", ANNA.pid],
    ])
      printed.push((await desk.run(["show", ...words, ...ACT])).stderr);

    const [row] = await desk.way.query(
      "select * from accounts join customers on customers.id = customer_id where username = ?",
      ANNA.username,
    );
    const stored = [
      "password_hash",
      "phone_sealed",
      "pid_sealed",
      "pid_index",
      "name_sealed",
      "name_index",
    ].map((column) => String(row?.[column]));
    const code = await latestCode(desk.way, ANNA.phone);
    const { username, phone, pid, password } = ANNA;
    const canaries = [username, phone, phone.slice(3), pid, password, code];
    for (const canary of [...canaries, ...cookies, ...stored, ...factor]) {
      for (const text of printed) expect(text).not.toContain(canary);
    }
    await desk.way.close();
  });
});
