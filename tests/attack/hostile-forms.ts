import { metBy } from "../pairs";

/** A posted body that a browser would hardly ever send from one of our forms. */
export interface HostileBody {
  readonly name: string;
  readonly body: string;
}

/** Values for one field, encoded as they go into the body; generated requests (fuzz.test.ts) have many more. */
const VALUES: Readonly<Record<string, string>> = {
  NUL: "%00",
  "half a character": "%ED%A0%80",
  "bytes that are not UTF-8": "%FF%FE%C3",
  "five hundred combining marks": `a${encodeURIComponent("\u0301".repeat(500))}`,
  "a tag": encodeURIComponent('"><script>alert(1)</script><svg/onload=alert(1)>'),
  "a line of SQL": encodeURIComponent("' OR 1=1; DROP TABLE accounts; --"),
  "a line break and a header": "%0D%0ASet-Cookie:%20stolen=1%0D%0A%0D%0A<html>",
  "a broken escape": "%zz%",
  "a template": encodeURIComponent("{{1234*5678}}${1234*5678}#{1234*5678}<%=1234*5678%>"),
  "the name of a prototype": "__proto__",
  "four thousand and one": "a".repeat(4001),
  "sixty thousand characters": "a".repeat(60_000),
};

/** Other spellings of a field, and more than one of it. */
const SHAPES: Readonly<Record<string, (field: string, value: string) => string>> = {
  "left out": () => "",
  empty: (field) => `${field}=`,
  "without a value": (field) => field,
  "given twice": (field, value) => `${field}=${value}&${field}=inna`,
  "given like an array": (field, value) => `${field}[]=${value}`,
  "given like an object in brackets": (field, value) => `${field}[__proto__]=${value}`,
  "in capitals": (field, value) => `${field.toUpperCase()}=${value}`,
};

/** Pairs that conform, Remix or a careless parser might take for something other than a field. */
const EXTRAS: Readonly<Record<string, string>> = {
  "an intent of the form library": `__intent__=${encodeURIComponent('{"type":"reset"}')}`,
  "a broken intent of the form library": "__intent__=%7B%7B",
  "a state of the form library": `__state__=${encodeURIComponent('{"validated":{"password":true}}')}`,
  "a broken state of the form library": "__state__=null",
  "an unknown intent": "intent=zniszcz",
  "two intents": "intent=confirm&intent=back",
  "names of prototypes":
    "__proto__=1&constructor=2&prototype=3&toString=4&__proto__[admin]=1&constructor.prototype.x=1",
  "three hundred fields": Array.from({ length: 300 }, (_, at) => `pole${at}=x`).join("&"),
  "ten thousand ampersands": "&".repeat(10_000),
  "a deep name": `a${"[b]".repeat(500)}=1`,
  "a redirect elsewhere": "redirectTo=https://evil.example&next=//evil.example",
  "someone else's name": "userId=1&accountId=2&policyNo=POL-100002&phone=%2B48500999999",
};

/** The forms that are attacked: seven in hostile-forms.test.ts, then four in factors.test.ts. */
const FORMS = 11;

/**
 * Hostile bodies for one of the forms: each value in one field of one form; before a release in each of each. The
 * (encoded) values of `fields` fill the fields not under attack.
 * @param nth the position of the form among all
 */
export function hostileBodies(fields: Readonly<Record<string, string>>, nth: number): readonly HostileBody[] {
  const rest = (without?: string) =>
    Object.entries(fields).flatMap(([field, value]) => (field === without ? [] : [`${field}=${value}`]));
  const join = (...parts: readonly string[]) => parts.filter((part) => part !== "").join("&");
  const met = <Body>(bodies: Readonly<Record<string, Body>>) => metBy(nth, FORMS, Object.entries(bodies));
  const all = Object.entries(fields);
  const ofFields = all.flatMap(([field, usual], at) => [
    ...metBy(at, all.length, met(VALUES)).map(([name, value]) => ({
      name: `${field}: ${name}`,
      body: join(...rest(field), `${field}=${value}`),
    })),
    ...metBy(at, all.length, met(SHAPES)).map(([name, shape]) => ({
      name: `${field}: ${name}`,
      body: join(...rest(field), shape(field, usual)),
    })),
  ]);
  const ofForm = met(EXTRAS).map(([name, extra]) => ({ name, body: join(...rest(), extra) }));
  return [
    { name: "no body", body: "" },
    { name: "a form that is no form", body: "żółć %" },
    ...ofFields,
    ...ofForm,
  ];
}
