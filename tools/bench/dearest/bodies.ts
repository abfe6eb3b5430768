import type { Dice } from "./dice";
import { NTH, type Body, type Recipe } from "./recipe";

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** A little more than the portal takes: forms of 64 KB, calls of 16 KB. */
const MOST_FORM = 66_000;
const MOST_JSON = 17_000;
const LONGEST_FIELD = 4000;

const FIELDS = [
  "username",
  "password",
  "policyNo",
  "pid",
  "authorizationCode",
  "newPassword",
  "newPasswordRepeat",
  "newUsername",
  "newUsernameRepeat",
  "passwordRepeat",
  "trustDevice",
  "deviceName",
  "authToken",
  "resend",
];
const INTENTS = ["confirm", "send-code", "back", "change", "revoke"];
const USUAL = [
  "anna.nowak",
  `user.${NTH}`,
  "POL-100001",
  `POL-${NTH}`,
  "85021400129",
  "123456",
  "Demo-Haslo-2026",
  "Y",
  "",
];
/** Characters that take long, or grow, when normalized, folded, escaped or matched. */
const PIECES = [
  "a",
  "ż",
  "e\u0301",
  "\u0307\u0323",
  "ﷺ",
  "😀",
  " ",
  "İ",
  "ß",
  "<",
  "&",
  "'",
  "\u200d",
  "\ufffd",
  "1",
  ".",
  "-",
  "%",
];
/** Names that a parser may read as paths into objects and lists. */
const NAMES = [
  "a",
  "a.a",
  "a[0]",
  "a[]",
  "a[99999999]",
  "__proto__",
  "a.b[1].c",
  "intent",
  "password",
  "%61",
  "ż",
];

/** A random body for the method, mostly none for methods that only read. */
export function randomBody(
  dice: Dice,
  { method, place }: Pick<Recipe, "method" | "place">,
): Body | undefined {
  const writes = !["GET", "HEAD", "OPTIONS", "TRACE"].includes(method);
  if (!dice.happens(writes ? 0.97 : 0.02)) return undefined;
  const isCall = place.startsWith("api ");
  const likesJson = dice.happens(isCall ? 0.95 : 0.05);
  const type = dice.happens(0.04)
    ? dice.one(["text/plain", "multipart/form-data; boundary=a", ""])
    : undefined;
  return likesJson
    ? { type: type ?? JSON_TYPE, text: dice.one(JSONS)(dice) }
    : { type: type ?? FORM, text: dice.one(FORMS)(dice) };
}

const FORMS: readonly ((dice: Dice) => string)[] = [usualForm, usualForm, usualForm, manyFields, deepName];

function usualForm(dice: Dice): string {
  const form = new URLSearchParams();
  for (const field of FIELDS) if (dice.happens(0.7)) form.append(field, value(dice));
  if (dice.happens(0.5)) form.append("intent", dice.one(INTENTS));
  // The placeholder must survive its escaping.
  return form.toString().replaceAll(encodeURIComponent(NTH), NTH).slice(0, MOST_FORM);
}

function manyFields(dice: Dice): string {
  const field = dice.happens(0.5)
    ? `${dice.one(NAMES)}=${dice.one(["", "1", "%C5%BC"])}&`
    : `${dice.one(FIELDS)}=${dice.one(["", "1"])}&`;
  return field.repeat(Math.ceil(dice.size(MOST_FORM) / field.length));
}

function deepName(dice: Dice): string {
  const step = dice.one([".a", "[0]", "[]", "[9999]", ".__proto__", "%5B0%5D"]);
  const name = `a${step.repeat(dice.size(MOST_FORM / step.length))}=1`;
  return dice.happens(0.5) ? name : `${name.slice(0, 2000)}&`.repeat(dice.size(30));
}

const JSONS: readonly ((dice: Dice) => string)[] = [usualJson, usualJson, usualJson, deepJson, manyKeys];

function usualJson(dice: Dice): string {
  const fields = FIELDS.filter(() => dice.happens(0.8)).map((field) => [field, value(dice)]);
  return JSON.stringify(Object.fromEntries(fields)).slice(0, dice.happens(0.9) ? MOST_JSON * 2 : MOST_JSON);
}

function deepJson(dice: Dice): string {
  const depth = dice.size(MOST_JSON / 2);
  const [opened, closed] = dice.one([
    ["[", "]"],
    ['{"a":', "}"],
    ['{"username":', "}"],
  ] as const);
  const times = Math.floor(depth / opened.length);
  return opened.repeat(times) + "1" + closed.repeat(times);
}

function manyKeys(dice: Dice): string {
  const count = dice.size(MOST_JSON / 6);
  const keys = Array.from(
    { length: count },
    (_, nth) => `"${nth.toString(36)}":${dice.one(["1", "[]", '""'])}`,
  );
  return `{${keys.join(",")}}`;
}

function value(dice: Dice): string {
  return dice.happens(0.6) ? dice.one(USUAL) : dice.text(PIECES, dice.size(LONGEST_FIELD));
}
