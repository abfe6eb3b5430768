import fc, { type Arbitrary } from "fast-check";
import { CALLS, type CallName } from "~/contract/calls.server";
import { FORM_NAMES, FORMS, type FormName, type State } from "./screens";
import { MARK, type CallStep, type FormStep, type Head, type Part, type Step, type Who } from "./steps";
import { anyText, formValue, headerText, jsonValue, pathValue } from "./values";
import { heads, usualHead } from "./heads";
import { wires } from "./wires";

const WHO: Arbitrary<Who> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0 as const) },
  { weight: 1, arbitrary: fc.constant(1 as const) },
);
const TIMES = mostly(fc.constant(1 as const), fc.constant(2 as const), 10);
const ENCODING = mostly(fc.constant("utf8" as const), fc.constant("latin1" as const), 10);
const HEAD: Arbitrary<Head> = mostly(fc.constant(usualHead), heads, 3);
/** A page, which answers only GET, is now and then sent a POST. */
const PAGE_HEAD: Arbitrary<Head> = mostly(HEAD, fc.constant({ headers: [], method: "POST" }), 5);
const CALL_NAMES = Object.keys(CALLS) as readonly CallName[];
const MOST_STEPS = 14;
const FEWEST_STEPS = 0;

function mostly<One, Other>(
  usual: Arbitrary<One>,
  odd: Arbitrary<Other>,
  weight: number,
): Arbitrary<One | Other> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

/** Other spellings of a field, and texts that a careless parser might take for something else. */
const oddFormParts: Arbitrary<Part> = fc
  .oneof(
    fc.constantFrom(
      "__intent__=%7B%7B",
      "__state__=null",
      "intent=zniszcz",
      "intent=confirm&intent=back",
      "intent[]=back",
      "__proto__=1&constructor=2&toString=3",
      "redirectTo=https://evil.example&next=//evil.example",
      `=${MARK}&=&==`,
      "&".repeat(500),
      `a${"[b]".repeat(200)}=1`,
      "x=1&".repeat(101),
    ),
    fc
      .tuple(
        fc.constantFrom(...new Set(FORM_NAMES.flatMap((name): readonly string[] => FORMS[name].fields))),
        fc.constantFrom("", "[]", "[0]", ".x", "[__proto__]", "%00"),
      )
      .map(([field, end]) => `${field}${end}=${MARK}`),
    anyText.map((text) => `${encodeURIComponent(text)}=${MARK}`),
  )
  .map((text) => ({ kind: "raw", text }));

function formParts(name: FormName): Arbitrary<readonly Part[]> {
  const { fields, intents } = FORMS[name];
  const usual = fc
    .tuple(...fields.map((field) => formValue.map((value): Part => ({ kind: "field", name: field, value }))))
    .chain((parts) =>
      mostly(fc.constant(parts), fc.subarray([...parts], { minLength: 0, maxLength: parts.length }), 8),
    );
  const intent: Arbitrary<readonly Part[]> = fc
    .constantFrom(undefined, intents[0], intents[0], ...intents)
    .map((word) => (word === undefined ? [] : [{ kind: "raw", text: `intent=${word}` }]));
  const odd = mostly(fc.constant<readonly Part[]>([]), fc.array(oddFormParts, { maxLength: 2 }), 6);
  return fc.tuple(usual, intent, odd).map((all) => all.flat());
}

function formStep(names: readonly FormName[]): Arbitrary<FormStep> {
  return fc.constantFrom(...names).chain((form) =>
    fc.record({
      kind: fc.constant("form" as const),
      who: WHO,
      form: fc.constant(form),
      parts: formParts(form),
      head: HEAD,
      isScripted: mostly(fc.constant(false), fc.constant(true), 4),
      times: TIMES,
      encoding: ENCODING,
    }),
  );
}

const rawJson = fc.oneof(
  fc.constantFrom("", " ", "null", "12", "[]", '"text"', "{", '{"username":', "\ufeff{}", `{"a":${MARK}}`),
  fc.constantFrom(10, 1000, 5000).map((depth) => "[".repeat(depth) + "]".repeat(depth)),
  fc.constantFrom(10, 1000, 2500).map((depth) => '{"a":'.repeat(depth)),
  fc.constant(JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at])))),
  fc.json(),
  fc.constantFrom(16 * 1024, 16 * 1024 + 1).map((length) => `"${MARK}${" ".repeat(length)}"`.slice(-length)),
  anyText,
);

/** Fields that no call has, or that an object has by itself; a repeated one overrides the first. */
const oddJsonParts: Arbitrary<Part> = fc
  .constantFrom("__proto__", "constructor", "username", "password", "authorizationCode", "resend", "")
  .chain((name) => jsonValue.map((value) => ({ kind: "field", name, value })));

function callStep(names: readonly CallName[]): Arbitrary<CallStep> {
  return fc.constantFrom(...names).chain((call) => {
    const fields = "shape" in CALLS[call].request ? Object.keys(CALLS[call].request.shape) : [];
    const parts = fc.tuple(
      ...fields.map((name) => jsonValue.map((value): Part => ({ kind: "field", name, value }))),
    );
    const odd = mostly(fc.constant<readonly Part[]>([]), fc.array(oddJsonParts, { maxLength: 2 }), 6);
    const object = fc.tuple(parts, odd).map((all) => ({ kind: "object" as const, parts: all.flat() }));
    return fc.record({
      kind: fc.constant("call" as const),
      who: WHO,
      call: fc.constant(call),
      segment: pathValue,
      body: mostly(object, fc.record({ kind: fc.constant("raw" as const), text: rawJson }), 6),
      head: HEAD,
      times: TIMES,
      encoding: ENCODING,
    });
  });
}

const PAGES = [
  "/",
  "/service",
  "/cp",
  "/cp/profile",
  "/cp/contact",
  "/home/remove-factor",
  "/home/sms-at-sign-in",
  "/cp/policy/1",
  "/cp/policy/1/payment",
  "/cp/policy/1/calendar.ics",
  "/cp/policy/1/proof",
  "/language/en",
  "/language/pl",
  "/language/xx",
  "/.well-known/change-password",
  "/.well-known/security.txt",
  "/healthz",
  "/readyz",
  "/home/nie-ma",
  "/nie-ma",
  "/home/api/user/info",
  "/cp/api/policies",
  "/refused/500",
  "/favicon.svg",
  "/assets/nie-ma.js",
];
const QUERIES = [
  "x=",
  "_data=root",
  "_routes=root",
  "index",
  "document-password-save-result=create",
  "factor-save-result=added",
  "method=app",
  "method=recovery",
  "method=passkey",
  "id=",
  "back=//evil.example",
  "%zz",
  "%00=",
];

/** A page of the portal or nearly, with a query or a path that nothing links to. */
const pagePath: Arbitrary<string> = fc
  .record({
    path: fc.constantFrom(...PAGES, ...FORM_NAMES.map((name) => FORMS[name].path)),
    end: mostly(
      fc.constant(""),
      fc.oneof(fc.constantFrom(".data", "/", "//", `/${MARK}`, "%00", "/%2e%2e", "\u00ff"), escaped("/")),
      5,
    ),
    query: mostly(fc.constant(""), fc.oneof(fc.constantFrom(...QUERIES), escaped("a=")), 2),
  })
  .map(({ path, end, query }) => `${path}${end}${query === "" ? "" : `?${query}${MARK}`}`);

function escaped(before: string): Arbitrary<string> {
  return anyText.map((text) => `${before}${encodeURIComponent(text)}`);
}

/**
 * One step of a visitor in this state: often the form that belongs there, otherwise another form, a call, a page, bytes
 * or an exchange of cookies.
 */
export function stepsIn({ own, calls }: State): Arbitrary<readonly Step[]> {
  const fitting = CALL_NAMES.filter((name) => calls.includes(CALLS[name].access));
  const step = fc.oneof(
    { weight: 8, arbitrary: formStep([own]) },
    { weight: 3, arbitrary: formStep(FORM_NAMES) },
    { weight: 6, arbitrary: callStep(fitting) },
    { weight: 1, arbitrary: callStep(CALL_NAMES) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("page" as const), who: WHO, path: pagePath, head: PAGE_HEAD }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("wire" as const), who: WHO, bytes: wires(headerText) }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: "swap" as const }) },
  );
  return fc.array(step, { minLength: FEWEST_STEPS, maxLength: MOST_STEPS, size: "max" });
}
