import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import { post, postBody, postPairs, secretFields, thrownStatus } from "./posted";
import { typedText } from "../rules/typed-text";
import { ALL_FORMS, FORMS } from "./all-forms";

describe("what was typed", () => {
  it.each(ALL_FORMS)("in %s is passed on code point by code point", async (_name, form) => {
    const values = fc.record(Object.fromEntries(form.names.map((field) => [field, typedText])));
    await fc.assert(
      fc.asyncProperty(values, async (typed) => {
        const opened = await post(form, typed);
        for (const field of form.names) expect(opened.posted(field)).toBe(typed[field]);
        const checked = opened.check();
        if (checked.ok) expect(checked.values).toEqual(typed);
      }),
    );
  });

  it.each(ALL_FORMS)("in %s is kept when it is refused, except passwords and codes", async (_name, form) => {
    const values = Object.fromEntries(form.names.map((field) => [field, `Typed-${field}-Ż1!`]));
    const opened = await post(form, { ...values, trustDevice: "Y" });
    const { data } = opened.refuse(textsIn(), { kind: "refused", errorCode: "101" });
    for (const field of form.names) {
      const kept = data.result.initialValue?.[field];
      expect(kept, field).toBe(secretFields(form).includes(field) ? undefined : values[field]);
    }
    for (const field of secretFields(form)) expect(JSON.stringify(data)).not.toContain(`Typed-${field}`);
    for (const name of form.switches) expect(data.result.initialValue?.[name]).toBe("Y");
  });

  it("never comes back in a secret field, however it is refused", async () => {
    const canary = "Kanarek-7391!";
    for (const [, form] of ALL_FORMS) {
      const opened = await post(form, Object.fromEntries(form.names.map((field) => [field, `${canary}\0`])));
      const checked = opened.check();
      const refusals = [
        { kind: "invalid", fields: [...form.names] },
        { kind: "rate-limited", retryAfterSeconds: 60 },
        { kind: "busy", retryAfterSeconds: 2 },
        { kind: "refused", errorCode: "016" },
        { kind: "refused", errorCode: "999" },
      ] as const;
      for (const refused of [...refusals, ...(checked.ok ? [] : [checked.refused])]) {
        const { data } = opened.refuse(textsIn(), refused);
        const secrets = Object.entries(data.result.initialValue ?? {}).filter(([field]) =>
          secretFields(form).includes(field),
        );
        expect(secrets).toEqual([]);
        if (secretFields(form).length === form.names.length)
          expect(JSON.stringify(data)).not.toContain(canary);
      }
    }
  });

  it("in unknown fields is neither checked nor sent back", async () => {
    const opened = await post(FORMS.signIn, {
      username: "anna",
      password: "x",
      isAdmin: "1",
      to: "+48700000000",
    });
    expect(opened.check()).toEqual({ ok: true, values: { username: "anna", password: "x" } });
    const { data } = opened.refuse(textsIn(), { kind: "refused", errorCode: "101" });
    expect(JSON.stringify(data)).not.toMatch(/isAdmin|\+48700/);
  });
});

describe("a refused form", () => {
  it("gets a 400 with the first broken rule of each field, at the field and in the summary", async () => {
    const opened = await post(FORMS.signIn, { username: "", password: "a".repeat(4001) });
    const checked = opened.check();
    if (checked.ok) throw new Error("it breaks two rules");
    const { data, init } = opened.refuse(textsIn(), checked.refused);
    expect(init?.status).toBe(400);
    expect(data.result.error).toEqual({
      username: ["Pole nie może być puste."],
      password: ["Wpisz najwyżej 4000\u00a0znaków."],
    });
    expect(data.alert).toMatchObject({
      title: "Popraw 2\u00a0błędy",
      items: [
        { field: "username", text: "Nazwa użytkownika: pole nie może być puste." },
        { field: "password", text: "Hasło: wpisz najwyżej 4000\u00a0znaków." },
      ],
    });
  });

  it("[F9, S55] that shows a personal identifier says that no browser may keep it", async () => {
    const cacheOf = async (form: (typeof FORMS)[keyof typeof FORMS], values: Record<string, string>) => {
      const { init } = (await post(form, values)).refuse(textsIn(), {
        kind: "refused",
        errorCode: "999",
      });
      return new Headers(init?.headers).get("Cache-Control");
    };
    expect(await cacheOf(FORMS.register, { policyNo: "POL-1", pid: "85021400129" })).toBe("no-store");
    expect(await cacheOf(FORMS.register, { policyNo: "POL-1", pid: "" })).toBeNull();
    expect(await cacheOf(FORMS.signIn, { username: "anna", password: "x" })).toBeNull();
  });

  it("that must wait says so in its status and header", async () => {
    const opened = await post(FORMS.signIn, { username: "anna", password: "x" });
    for (const [kind, status] of [
      ["rate-limited", 429],
      ["busy", 503],
    ] as const) {
      const { data, init } = opened.refuse(textsIn(), { kind, retryAfterSeconds: 89.2 });
      expect(init?.status).toBe(status);
      expect(new Headers(init?.headers).get("Retry-After")).toBe("90");
      expect(data.result.error).toEqual({});
      expect(data.dialog).toBeUndefined();
    }
  });
});

describe("a form with several buttons", () => {
  it("[F39] says whether its fields were sent or are at fault: then a screen shows them", async () => {
    const wait = { kind: "rate-limited", retryAfterSeconds: 60 } as const;
    const inUse = { kind: "refused", errorCode: "013" } as const;
    const concernsFields = async (sent: Record<string, string>, refused: typeof wait | typeof inUse) =>
      (await post(FORMS.newPassword, sent)).refuse(textsIn("pl"), refused).data.concernsFields;
    expect(await concernsFields({ intent: "send-code" }, wait)).toBe(false);
    expect(await concernsFields({ intent: "send-code", authorizationCode: "" }, wait)).toBe(true);
    expect(await concernsFields({ intent: "send-code" }, inUse)).toBe(true);
  });

  it("tells them apart by their intent; the main one needs none", async () => {
    expect((await post(FORMS.signInCode, {})).intent).toBe("confirm");
    expect((await post(FORMS.signInCode, { intent: "send-code" })).intent).toBe("send-code");
  });

  it("gives what was posted, and an empty text for what wasn't", async () => {
    const opened = await post(FORMS.signInCode, { trustDevice: "Y" });
    expect(opened.posted("trustDevice")).toBe("Y");
    expect(opened.posted("authorizationCode")).toBe("");
    expect(opened.posted("toString")).toBe("");
  });
});

describe("a body that none of our forms sends", () => {
  it.each<[string, readonly (readonly [string, string])[]]>([
    [
      "a field twice",
      [
        ["username", "a"],
        ["username", "b"],
        ["password", "x"],
      ],
    ],
    [
      "a field twice with one value",
      [
        ["username", "a"],
        ["username", "a"],
      ],
    ],
    [
      "two buttons",
      [
        ["intent", "confirm"],
        ["intent", "send-code"],
      ],
    ],
    ["an array", [["username[]", "a"]]],
    ["an array by number", [["username[0]", "a"]]],
    ["an object", [["username.name", "a"]]],
    ["an object in brackets", [["password[name]", "a"]]],
    ["a prototype", [["__proto__", "1"]]],
    ["conform's own intent", [["__intent__", '{"type":"reset"}']]],
    ["conform's own intent, broken", [["__intent__", "{"]]],
    ["conform's own state", [["__state__", "null"]]],
    ["a hundred and one fields", Array.from({ length: 101 }, (_, nth) => [`f${nth}`, ""] as const)],
  ])("[S76] is a bad request if it has %s", async (_what, posted) => {
    expect(await thrownStatus(postPairs(FORMS.signIn, posted))).toBe(400);
  });

  it("[S76] may have odd names that match no field, and they are ignored", async () => {
    const odd = [
      "constructor",
      "toString",
      "hasOwnProperty",
      "prototype",
      "",
      "[]",
      ".",
      "username2",
      "Username",
    ];
    const opened = await postPairs(FORMS.signIn, [
      ...odd.map((name) => [name, "x"] as const),
      ["username", "anna"],
      ["password", "x"],
    ]);
    expect(opened.check()).toEqual({ ok: true, values: { username: "anna", password: "x" } });
  });

  it("[S76] otherwise counts as empty fields, and never causes an exception", async () => {
    for (const body of [
      "",
      "&&&",
      "=",
      "%",
      "%zz=1",
      "{}",
      '{"username":"anna"}',
      "\0",
      "username",
      "\ud800",
    ]) {
      const checked = (await postBody(FORMS.signIn, body)).check();
      expect(checked, body).toMatchObject({
        ok: false,
        refused: { broken: { password: { key: "required" } } },
      });
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 400 }), async (body) => {
        const status = await thrownStatus(postBody(FORMS.newPassword, body).then((opened) => opened.check()));
        expect([undefined, 400]).toContain(status);
      }),
    );
  });
});
