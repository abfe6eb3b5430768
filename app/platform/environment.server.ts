import { isIP } from "node:net";
import { z } from "zod";
import { brandVariables } from "./brand-variables.server";
import { unreadable, type ColourAnchors } from "./palette";
import { defaultLimits, LIMIT_NAMES, type Limits } from "./limits";

/**
 * Every variable that the portal reads, in one schema. A value that breaks it stops the start with one line that
 * names the variable and says what was expected.
 */
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`);

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

const HOST = /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i;

const origin = (example: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, "")) return url.origin;
    context.addIssue({ code: "custom", message: `an origin such as ${example}` });
    return z.NEVER;
  });

const variables = z.object({
  PORTAL_MODE: z.enum(["demo", "production"], "demo or production").default("demo"),
  HOST: z.string().min(1, "an address to listen on").default("127.0.0.1"),
  PORT: wholeNumber(1, 65_535).default(3000),
  DATA_DIR: z.string().min(1, "a folder").default(".data"),
  /** The address that customers see; decides cookie flags, the origin check and the host named in SMS. */
  PUBLIC_ORIGIN: origin("https://portal.example").optional(),
  /** The insurer's own server of the backend contract; without it the portal brings its own backend. */
  BACKEND_URL: origin("https://backend.example").optional(),
  /** Hosts under which other portals call the API, beside the public one. */
  BACKEND_HOSTS: list.pipe(z.array(z.string().regex(HOST, "hosts, separated by commas"))).default([]),
  /** Proxies whose X-Forwarded-For and X-Request-Id are believed: addresses or CIDR blocks. */
  TRUSTED_PROXIES: list
    .pipe(z.array(z.string().refine(isNetwork, "addresses or CIDR blocks, separated by commas")))
    .default([]),
  /** Seals the flow cookie; a list for rotation. Demo mode makes its own. */
  SESSION_SECRET: list
    .pipe(z.array(z.string().min(32, "secrets of at least 32 characters, separated by commas")).min(1))
    .optional(),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"], "trace, debug, info, warn, error or silent")
    .default("info"),
  ...brandVariables,
});

/** What the process was told by its environment, checked and typed. */
export interface Environment extends z.output<typeof variables> {
  readonly limits: Limits;
}

/** The environment, or one sentence per variable that is wrong. */
export type EnvironmentReading =
  | { readonly ok: true; readonly environment: Environment }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads and checks variables; an empty value counts as absent. Never throws and never repeats a value (it may be a secret). */
export function readEnvironment(source: Readonly<Record<string, string | undefined>>): EnvironmentReading {
  const present = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== undefined && value !== ""),
  );
  const read = variables.safeParse(present);
  const problems = read.success
    ? []
    : read.error.issues.map((issue) => `${String(issue.path[0])}: expected ${issue.message}`);
  if (read.success) problems.push(...missingInProduction(read.data), ...hardToRead(read.data));
  const limits = readLimits(present, read.success ? read.data.PORTAL_MODE : "demo", problems);
  if (!read.success || problems.length > 0) return { ok: false, problems };
  return { ok: true, environment: { ...read.data, limits } };
}

/** What a demo makes up for itself, and a portal for customers must be told. */
function missingInProduction({
  PORTAL_MODE,
  PUBLIC_ORIGIN,
  SESSION_SECRET,
}: z.output<typeof variables>): string[] {
  if (PORTAL_MODE !== "production") return [];
  return [
    ...(PUBLIC_ORIGIN?.startsWith("https:") ? [] : ["PUBLIC_ORIGIN: expected an https origin in production"]),
    ...(SESSION_SECRET ? [] : ["SESSION_SECRET: expected in production"]),
  ];
}

/** The four colours of the brand. */
export function colourAnchors(settings: Readonly<z.output<typeof variables>>): ColourAnchors {
  return {
    primary: settings.BRAND_COLOR_PRIMARY,
    dark: settings.BRAND_COLOR_DARK,
    accent: settings.BRAND_COLOR_ACCENT,
    ink: settings.BRAND_COLOR_INK,
  };
}

/** A brand can't make the portal hard to read (WCAG 1.4.3). */
function hardToRead(settings: z.output<typeof variables>): string[] {
  const against = (name: keyof ColourAnchors) => (name === "accent" ? "the colour of text" : "white");
  return unreadable(colourAnchors(settings)).map(
    ({ name, least }) =>
      `BRAND_COLOR_${name.toUpperCase()}: expected a contrast of at least ${least} with ${against(name)}`,
  );
}

/** An address, or a block whose prefix fits its kind. */
function isNetwork(entry: string): boolean {
  const [address = "", prefix = "0", ...more] = entry.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest && more.length === 0;
}

function readLimits(
  source: Record<string, string | undefined>,
  mode: "demo" | "production",
  problems: string[],
): Limits {
  const limits: Record<string, number> = { ...defaultLimits(mode) };
  const amount = wholeNumber(1, 2_147_483_647);
  for (const name of LIMIT_NAMES) {
    const text = source[`LIMIT_${name}`];
    if (text === undefined) continue;
    const read = amount.safeParse(text);
    if (read.success) limits[name] = read.data;
    else problems.push(`LIMIT_${name}: expected ${read.error.issues[0]?.message ?? "a whole number"}`);
  }
  for (const name of Object.keys(source)) {
    if (name.startsWith("LIMIT_") && !Object.hasOwn(limits, name.slice(6)))
      problems.push(`${name}: expected the name of a limit, there is none such`);
  }
  return limits as Limits;
}

let known: Environment | undefined;

/**
 * The environment of this process, read once. A bad one ends the process with exit code 1 and a line per problem on
 * stderr: there is nothing useful that a portal could do with it.
 */
export function environment(): Environment {
  if (known) return known;
  const reading = readEnvironment(process.env);
  if (!reading.ok) {
    process.stderr.write(reading.problems.map((problem) => `portal: ${problem}\n`).join(""));
    process.exit(1);
  }
  known = reading.environment;
  return known;
}
