import { CALLS } from "~/contract/calls.server";
import { FROM_SCRIPT } from "../../tests/visitor";
import { TRUE, type FuzzCustomer } from "./fuzz-customer";
import { FORMS } from "./screens";
import { MARK, type CallStep, type FormStep, type Head, type PageStep, type Part, type Value } from "./steps";

const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** A request as it is sent. */
export interface Spelled {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The texts typed into the fields that are right. */
  readonly right: ReadonlyMap<string, string>;
}

type Encode = (text: string) => string;

/** A form as this visitor posts it. @param origin the portal's */
export async function spellForm(customer: FuzzCustomer, step: FormStep, origin: string): Promise<Spelled> {
  const { path, query } = FORMS[step.form];
  const right = new Map<string, string>();
  const parts = [];
  for (const part of step.parts) {
    const [name, value] = await spellPart(customer, step.form, part, encodeURIComponent, right);
    parts.push(name === undefined ? value : `${name}=${value}`);
  }
  return {
    method: step.head.method ?? "POST",
    path: path + query,
    headers: {
      "Content-Type": FORM_TYPE,
      Origin: origin,
      ...(step.isScripted && FROM_SCRIPT),
      ...spellHead(customer, step.head),
    },
    body: Buffer.from(parts.join("&"), step.encoding),
    right,
  };
}

/** A call as this visitor makes it. */
export async function spellCall(customer: FuzzCustomer, step: CallStep): Promise<Spelled> {
  const { method, path } = CALLS[step.call];
  const right = new Map<string, string>();
  const field = /\{(\w+)\}/.exec(path)?.[1] ?? "";
  const segment = await spellValue(customer, field, step.call, step.segment, encodeURIComponent, right);
  const parts = [];
  if (step.body.kind === "object") {
    for (const part of step.body.parts) {
      const [name, value] = await spellPart(customer, step.call, part, asJson, right);
      parts.push(name === undefined ? value : `${JSON.stringify(name)}:${value}`);
    }
  }
  const text = step.body.kind === "raw" ? marked(customer, "", step.body.text) : `{${parts.join(",")}}`;
  const hasBody = method === "POST" || method === "PUT";
  return {
    method: step.head.method ?? method,
    path: path.replace(/\{\w+\}/, () => segment),
    headers: { ...(hasBody && { "Content-Type": JSON_TYPE }), ...spellHead(customer, step.head) },
    ...(hasBody && { body: Buffer.from(text, step.encoding) }),
    right,
  };
}

/** The only field that isn't text is a boolean, and its right value is true. */
function asJson(text: string): string {
  return text === TRUE ? "true" : JSON.stringify(text);
}

/** A request for a page. */
export function spellPage(customer: FuzzCustomer, { path, head }: PageStep): Spelled {
  return {
    method: head.method ?? "GET",
    path: marked(customer, "path", path),
    headers: spellHead(customer, head),
    right: new Map(),
  };
}

async function spellPart(
  customer: FuzzCustomer,
  where: string,
  part: Part,
  encode: Encode,
  right: Map<string, string>,
): Promise<readonly [string | undefined, string]> {
  if (part.kind === "raw") return [undefined, marked(customer, rawField(part.text), part.text)];
  return [part.name, await spellValue(customer, part.name, where, part.value, encode, right)];
}

async function spellValue(
  customer: FuzzCustomer,
  field: string,
  where: string,
  value: Value,
  encode: Encode,
  right: Map<string, string>,
): Promise<string> {
  switch (value.kind) {
    case "right": {
      const text = await customer.right(field, where);
      right.set(field, text);
      return encode(text);
    }
    case "text":
      return marked(customer, field, value.text);
    case "long": {
      const { filler, length } = value;
      const text = `${customer.mark(field)}${filler.repeat(length)}`.slice(0, length);
      // Half a character at the end can't be encoded.
      return encode(Buffer.from(text).toString());
    }
  }
}

/** The name in front of a raw part: a password in a misspelled field is still a secret. */
function rawField(text: string): string {
  return /^\w+/.exec(text)?.[0] ?? "";
}

/** The text with the visitor's mark for this field. */
export function marked(customer: FuzzCustomer, field: string, text: string): string {
  return text.replaceAll(MARK, customer.mark(field));
}

function spellHead(customer: FuzzCustomer, { headers, cookies }: Head): Readonly<Record<string, string>> {
  const own = [...customer.visitor.cookies].map(([name, value]) => `${name}=${value}`);
  const all = Object.fromEntries(headers.map(([name, value]) => [name, marked(customer, "header", value)]));
  switch (cookies?.kind) {
    case undefined:
      return all;
    case "none":
      return { ...all, Cookie: "" };
    case "doubled":
      return { ...all, Cookie: [...own, ...own].join("; ") };
    case "added":
      return { ...all, Cookie: [marked(customer, "cookie", cookies.text), ...own].join("; ") };
    case "broken": {
      const { at, text } = cookies;
      const broken = own.map((cookie) => `${cookie.slice(0, at)}${text}${cookie.slice(at + text.length)}`);
      return { ...all, Cookie: broken.join("; ") };
    }
  }
}
