import { describe, expect, it } from "vitest";
import { SECURITY_HEADERS } from "~/server/front-door/headers.server";
import { customerNumber } from "../../../tools/bench/accounts";
import { ANNA } from "../../demo-customers";
import { faultsIn } from "../../../tools/fuzz/afterwards";
import { Canaries, NOBODY } from "../../../tools/fuzz/canaries";
import { PEOPLE, PEOPLE_IN_BYTES } from "../../../tools/fuzz/people";
import { faultsOf, type Asker } from "../../../tools/fuzz/promises";
import { page } from "./planted";

const canaries = new Canaries("qabcdef");
const watch = { canaries, secrets: ["Tajny-Klucz-1234"], strangers: PEOPLE };
const ASKER: Asker = { people: new Set([7]), tokens: ["t".repeat(43)], codes: ["482913"] };

interface Planted {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The names of the faults in an answer that is right except for these values. */
function faults({ status = 200, body = page("nic"), headers = {} }: Planted) {
  const all = {
    ...Object.fromEntries(SECURITY_HEADERS.map(({ name, value }) => [name.toLowerCase(), value])),
    "content-type": "text/html; charset=utf-8",
    ...headers,
  };
  const lines = (name: string) =>
    Object.entries(all).flatMap(([header, value]) => (header === name.toLowerCase() ? [value] : []));
  const answer = {
    status,
    body,
    lines,
    header: (name: string) => lines(name)[0],
    headerNames: Object.keys(all),
  };
  return faultsOf({ kind: "answered", answer }, ASKER, watch).map(({ name }) => name);
}

describe("an answer to a generated request", () => {
  it("may be a whole page with what its own visitor typed", () => {
    expect(faults({ body: page(canaries.mark("typed", 7)) })).toEqual([]);
    expect(faults({ body: page(customerNumber(7).username) })).toEqual([]);
  });

  it.each<readonly [string, Planted]>([
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["not a whole page", { body: "<!DOCTYPE html><html lang='pl'>" }],
    ["not a whole page", { body: page("nic").replace("<title>Strona", "<title>") }],
    ["not a whole page", { body: page("nic").replace('"pl"', '"de"') }],
    ["not JSON", { body: "{", headers: { "content-type": "application/json" } }],
    ["leads elsewhere", { status: 303, headers: { location: "//evil.example" } }],
    ["leads elsewhere", { status: 303, headers: { location: "https://evil.example/home" } }],
    ["leads elsewhere", { status: 204, body: "", headers: { "x-location": "https://evil.example" } }],
    ["header X-Frame-Options", { headers: { "x-frame-options": "SAMEORIGIN" } }],
    ["shows its insides", { body: page("TypeError: x is undefined") }],
    ["in the body", { body: page(canaries.mark("secret", 7)) }],
    ["in the body", { body: page(canaries.mark("secret", 7).toUpperCase()) }],
    ["in the body", { body: page(canaries.mark("typed", 8)) }],
    ["in the body", { body: page(Buffer.from(`x${canaries.mark("secret", 7)}`).toString("base64")) }],
    ["in the body", { body: page(Buffer.from(canaries.mark("secret", 7)).toString("hex")) }],
    [
      "in the body",
      { body: `{"a":"${canaries.mark("typed", 7)}"}`, headers: { "content-type": "application/json" } },
    ],
    ["in a header", { headers: { "x-note": canaries.mark("typed", 7) } }],
    ["in a cookie", { headers: { "set-cookie": `note=${canaries.mark("typed", 7)}` } }],
    ["a password, key or token comes back", { body: page("Tajny-Klucz-1234") }],
    ["a password, key or token comes back", { headers: { "x-note": "t".repeat(43) } }],
    ["a code comes back", { body: page("Kod: 482913") }],
    ["of somebody else", { body: page(customerNumber(8).username) }],
    ["of somebody else", { body: page(customerNumber(7).phone) }],
    ["of somebody else", { body: page(customerNumber(8).pid) }],
    ["of somebody else", { body: page(ANNA.name) }],
    ["of somebody else", { body: page(ANNA.phone) }],
  ])("is a fault: %s", (name, planted) => {
    expect(faults(planted)).toEqual([name]);
  });
});

describe("what a run leaves behind", () => {
  const seen = { tokens: new Set(["u".repeat(43)]), codes: new Set(["482913"]) };
  const found = (text: string) =>
    faultsIn("the log", text, watch, { ...seen, reader: NOBODY, people: PEOPLE }).map(({ name }) => name);

  it("may hold numbers, times and routes", () => {
    expect(found('{"requestId":"600020907b44"}')).toEqual([]);
    // SQLite's statistics, whose numbers run into each other.
    expect(found("sqlite_autoindex_accounts_21 1482 913482913 482U")).toEqual([]);
    expect(found("sqlite_autoindex_accounts_21 1913 482913 482U")).toEqual([]);
    expect(
      found('{"ms":12,"route":"/home","time":"2026-11-22T12:00:00.000Z","policy":"PRB-482913"}'),
    ).toEqual([]);
  });

  it.each([
    ["a mark", canaries.mark("typed", 7)],
    ["a mark that was kept", canaries.mark("kept", 7)],
    ["a key", "Tajny-Klucz-1234"],
    ["a token", "u".repeat(43)],
    ["half a token", "u".repeat(21)],
    ["a code", "Kod 482913."],
    ["a code before a number", "482913 15"],
    ["a code after a number", "minut 15 482913"],
    ["a name", "Klient Próbny 12"],
    ["an identifier", customerNumber(12).pid],
    ["a phone number", customerNumber(12).phone],
    ["a phone number without its prefix", `Telefon ${customerNumber(12).phone.slice(3)}.`],
    ["a phone number among other bytes", `a${customerNumber(12).phone}b`],
    ["a username", customerNumber(12).username],
    ["nothing at all", ""],
  ])("is a fault if it holds %s", (_what, text) => {
    expect(found(text)).toHaveLength(1);
  });

  it("is a fault if a database holds a name in its bytes", () => {
    const bytes = Buffer.from("\0Klient Próbny 12\0Piotr Wiśniewski\0").toString("latin1");
    const rest = { ...seen, reader: NOBODY, people: PEOPLE_IN_BYTES };
    expect(faultsIn("the database", bytes, watch, rest)).toHaveLength(2);
  });
});
