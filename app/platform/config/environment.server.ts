import { AsyncLocalStorage } from "node:async_hooks";
import { z } from "zod";
import { failStartup, warnAtStartup } from "../lifecycle/fail-startup.server";
import { readSmallFile, wholeNumber } from "./variable-values.server";
import { databaseVariables, type DatabaseAddress } from "./database-variables.server";
import { backupVariables } from "./backup-variables.server";
import { brandVariables, demoBrandProblems } from "./brand-variables.server";
import { helpDeskProblems, helpDeskVariables } from "./help-desk-variables.server";
import { type ColourAnchors, lowContrastColours } from "./palette";
import { CONSTANT_LIMITS } from "./constant-limits";
import { defaultLimits, largest, type Limits, limitsOutOfOrder, SETTABLE_LIMITS } from "./limits";
import { portalVariables } from "./portal-variables.server";
import { secretVariables } from "./secret-variables.server";
import { mailProblems, mailVariables } from "./mail-variables.server";
import { missingForSms, smsVariables } from "./sms-variables.server";

interface SetTogether {
  readonly ANNOUNCEMENT_FILE?: string | undefined;
  readonly BACKEND_URL?: string | undefined;
  readonly DATABASE_URL?: DatabaseAddress | undefined;
  readonly MIGRATION_DATABASE_URL?: DatabaseAddress | undefined;
  readonly AUDIT_DATABASE_ROLE?: string | undefined;
  readonly HELP_DESK_DATABASE_ROLE?: string | undefined;
  readonly DATABASE_TLS?: string | undefined;
  readonly DATABASE_CA_FILE?: string | undefined;
}

/** A sentence for each variable that another one makes pointless: the operator must have meant something else. */
function contradictions(settings: SetTogether): readonly string[] {
  const isSet = (name: keyof SetTogether) => settings[name] !== undefined;
  const pairs: readonly (readonly [contradict: boolean, sentence: string])[] = [
    [
      isSet("ANNOUNCEMENT_FILE") && !isSet("BACKEND_URL"),
      "ANNOUNCEMENT_FILE: expected only with BACKEND_URL: others have portal announce",
    ],
    [isSet("BACKEND_URL") && isSet("DATABASE_URL"), "DATABASE_URL: expected only without BACKEND_URL"],
    [
      isSet("MIGRATION_DATABASE_URL") && !isSet("DATABASE_URL"),
      "MIGRATION_DATABASE_URL: expected only with DATABASE_URL",
    ],
    [
      isSet("AUDIT_DATABASE_ROLE") && !isSet("DATABASE_URL"),
      "AUDIT_DATABASE_ROLE: expected only with DATABASE_URL",
    ],
    [
      isSet("HELP_DESK_DATABASE_ROLE") && !isSet("DATABASE_URL"),
      "HELP_DESK_DATABASE_ROLE: expected only with DATABASE_URL",
    ],
    [
      settings.DATABASE_TLS === "off" && isSet("DATABASE_CA_FILE"),
      "DATABASE_CA_FILE: expected only with TLS (DATABASE_TLS)",
    ],
  ];
  return pairs.flatMap(([contradict, sentence]) => (contradict ? [sentence] : []));
}

/** Variables that are set and not empty. */
export type Present = Readonly<Record<string, string>>;

/**
 * Fills in secrets from files: `X_FILE` names the file that holds `X`, as containers and systemd pass secrets. A
 * newline at the end is dropped. A file that can't be read is reported as a problem.
 */
function withSecretFiles(source: Present, secrets: readonly string[]) {
  const present: Record<string, string> = { ...source };
  const problems: { readonly name: string; readonly problem: string }[] = [];
  const complain = (name: string, problem: string) => problems.push({ name, problem });
  for (const name of secrets) {
    const file = source[`${name}_FILE`];
    if (file === undefined) continue;
    const content = contentOf(file);
    if (source[name] !== undefined) complain(name, `${name}: expected here or in ${name}_FILE, not in both`);
    else if (content === undefined) complain(name, `${name}_FILE: expected a file that can be read`);
    else if (content === "") complain(name, `${name}_FILE: expected a file that is not empty`);
    else present[name] = content;
  }
  return { present, problems };
}

function contentOf(file: string): string | undefined {
  try {
    return readSmallFile(file).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}

/** Every variable that the portal reads, except limits, grouped as in the docs. */
export const VARIABLE_GROUPS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  portal: portalVariables,
  secrets: secretVariables,
  database: databaseVariables,
  backup: backupVariables,
  brand: brandVariables,
  sms: smsVariables,
  mail: mailVariables,
  helpDesk: helpDeskVariables,
};

/**
 * All groups as one schema. If a value breaks it, startup fails with one line that names the variable and says what was
 * expected.
 */
const variables = z.object({
  ...portalVariables,
  ...secretVariables,
  ...databaseVariables,
  ...backupVariables,
  ...brandVariables,
  ...smsVariables,
  ...mailVariables,
  ...helpDeskVariables,
});

const SECRETS = Object.entries(variables.shape)
  .filter(([, schema]) => schema.meta()?.secret)
  .map(([name]) => name);

type Settings = z.output<typeof variables>;

/** The variables that a command or process reads. The others are ignored: their values and their files. */
export interface Scope {
  /** Refused if they are wrong, or missing in production. */
  readonly needed: ReadonlySet<string>;
  /** Refused if they are wrong. A secret whose file can't be read counts as missing. */
  readonly ifSet: ReadonlySet<string>;
}

const EVERY_NAME: ReadonlySet<string> = new Set(Object.keys(variables.shape));
/** A serving portal reads everything but the help desk's sign-on and secrets. */
const PORTAL_NAMES: ReadonlySet<string> = new Set(
  [...EVERY_NAME].filter((name) => !Object.hasOwn(helpDeskVariables, name)),
);
const PORTAL_SCOPE: Scope = { needed: PORTAL_NAMES, ifSet: PORTAL_NAMES };

/** `doctor` reads what a portal reads, and the help desk's addresses if they are set. */
export const DOCTOR_SCOPE: Scope = {
  needed: PORTAL_NAMES,
  ifSet: new Set([...PORTAL_NAMES, "HELP_DESK_ORIGIN", "HELP_DESK_ISSUER"]),
};

/** The process environment, checked and typed. */
export interface Environment extends Settings {
  readonly limits: Limits;
}

/** The environment, or one sentence for each wrong variable. */
type EnvironmentReading =
  | { readonly ok: true; readonly environment: Environment }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Set but empty, it means "none" instead of the default. */
const MAY_BE_EMPTY = "FACTORS";

/**
 * Reads and checks variables, and the files that hold secrets; an empty value counts as absent. Never throws, and never
 * repeats a value, which may be a secret.
 * @param scope the variables to read; by default the variables of a serving portal
 */
export function readEnvironment(source: Variables, scope = PORTAL_SCOPE): EnvironmentReading {
  const isNeeded = (name: keyof Settings) => scope.needed.has(name);
  const set = Object.entries(source).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) || (entry[0] === MAY_BE_EMPTY && entry[1] === ""),
  );
  const { present, problems: unread } = withSecretFiles(
    Object.fromEntries(
      set.filter(
        ([name]) => inScope(scope, name.replace(/_FILE$/, "")) || !EVERY_NAME.has(name.replace(/_FILE$/, "")),
      ),
    ),
    SECRETS.filter((name) => inScope(scope, name)),
  );
  const problems = unread.filter(({ name }) => scope.needed.has(name)).map(({ problem }) => problem);
  const read = variables.safeParse(present);
  for (const issue of read.error?.issues ?? [])
    problems.push(`${String(issue.path[0])}: expected ${issue.message}`);
  if (read.success) {
    const checks = [
      ...(isNeeded("SMS_SMSAPI_TOKEN") ? [missingForSms] : []),
      ...(isNeeded("SMTP_URL") ? [mailProblems] : []),
      ...(isNeeded("HELP_DESK_ORIGIN") ? [helpDeskProblems] : []),
      (settings: Settings) => missingInProduction(settings, isNeeded),
      samePortProblem,
      contradictions,
      lowContrastProblems,
    ];
    for (const check of checks) problems.push(...check(read.data));
  }
  const limits = readLimits(present, read.data?.PORTAL_MODE ?? "demo", problems);
  problems.push(...misspelledVariables(present).filter((problem) => looksInScope(scope, problem)));
  if (!read.success || problems.length > 0) return { ok: false, problems: onePerVariable(problems) };
  return { ok: true, environment: hideOutOfScope({ ...read.data, limits }, scope) };
}

function inScope({ needed, ifSet }: Scope, name: string): boolean {
  return needed.has(name) || ifSet.has(name);
}

/** Whether a misspelled name is a limit, or begins like a variable in scope. */
function looksInScope({ needed, ifSet }: Scope, name: string): boolean {
  const [first = ""] = name.split(/(?<=_)/);
  return first === "LIMIT_" || [...needed, ...ifSet].some((name) => name.startsWith(first));
}

/** Reading a variable outside the scope throws: it would silently be a default. */
function hideOutOfScope(environment: Environment, scope: Scope): Environment {
  for (const name of EVERY_NAME)
    if (!inScope(scope, name))
      Object.defineProperty(environment, name, {
        enumerable: false,
        get: () => {
          throw new Error(`${name} is read outside its scope`);
        },
      });
  return environment;
}

/** Keeps the first line of each variable, which is the most specific. */
function onePerVariable(problems: readonly string[]): string[] {
  const nameOf = (problem: string) => problem.split(/(?:_FILE)?:/)[0];
  return problems.filter(
    (problem, at) => problems.findIndex((one) => nameOf(one) === nameOf(problem)) === at,
  );
}

/** Names the variables that production needs and that a demo makes up. */
function missingInProduction(settings: Settings, isNeeded: (name: keyof Settings) => boolean): string[] {
  if (settings.PORTAL_MODE !== "production") return [];
  const missing = Object.entries(variables.shape).filter(([name, schema]) => {
    const when = schema.meta()?.needed;
    const isExpected =
      when === "in production" ||
      (when === "in production, without BACKEND_URL" && settings.BACKEND_URL === undefined);
    return isExpected && isNeeded(name as keyof Settings) && settings[name as keyof Settings] === undefined;
  });
  return [
    ...(!isNeeded("PUBLIC_ORIGIN") || settings.PUBLIC_ORIGIN?.startsWith("https:")
      ? []
      : ["PUBLIC_ORIGIN: expected an https origin in production"]),
    ...missing.map(([name]) => `${name}: expected in production`),
  ];
}

/** Visitors on the customers' port must not see the metrics (S74). */
function samePortProblem({ PORT, METRICS_PORT }: Settings): string[] {
  return METRICS_PORT === PORT ? ["METRICS_PORT: expected a different port from PORT"] : [];
}

/** The four colours of the brand. */
export function colourAnchors(settings: Readonly<Settings>): ColourAnchors {
  return {
    primary: settings.BRAND_COLOR_PRIMARY,
    dark: settings.BRAND_COLOR_DARK,
    accent: settings.BRAND_COLOR_ACCENT,
    ink: settings.BRAND_COLOR_INK,
  };
}

/** Refuses brand colours that would make the portal hard to read (WCAG 1.4.3). */
function lowContrastProblems(settings: Settings): string[] {
  const against = (name: keyof ColourAnchors) => (name === "accent" ? "the colour of text" : "white");
  return lowContrastColours(colourAnchors(settings)).map(
    ({ name, least }) =>
      `BRAND_COLOR_${name.toUpperCase()}: expected a contrast of at least ${least} with ${against(name)}`,
  );
}

function readLimits(source: Present, mode: "demo" | "production", problems: string[]): Limits {
  const limits: Record<string, number> = { ...defaultLimits(mode) };
  for (const name of SETTABLE_LIMITS) {
    const text = source[`LIMIT_${name}`];
    if (text === undefined) continue;
    const read = wholeNumber(1, largest(name)).safeParse(text);
    if (read.success) limits[name] = read.data;
    else problems.push(`LIMIT_${name}: expected ${read.error.issues[0]?.message ?? "a whole number"}`);
  }
  problems.push(...limitsOutOfOrder(limits as Limits, (name) => source[`LIMIT_${name}`] !== undefined));
  return limits as Limits;
}

/** Prefixes that only the portal uses … */
const OWN =
  /^(ANNOUNCEMENT_|AUDIT_|BACKEND_|BACKUP_|BRAND_|DATABASE_|DATA_KEY|HELP_DESK_|LIMIT_|METRICS_|MIGRATION_DATABASE|PASSKEY_|PORTAL_|SESSION_SECRET|SMS_|SMTP_|TRUSTED_PROX)/;
/** … except Kubernetes, which gives each container variables for its services, perhaps one called "database". */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT\w*|PORT|PORT_\d+_\w+)$/;

/** Read by the template in deploy/nginx, perhaps from the same file of variables. */
const NGINX_VARIABLE = "PORTAL_SERVERS";

/**
 * Variables of limits that are constants now.
 * @for-release 2026-11-28-efca9311924d
 */
const FORMER = Object.keys(CONSTANT_LIMITS).map((name) => `LIMIT_${name}`);

const KNOWN: ReadonlySet<string> = new Set([
  ...EVERY_NAME,
  ...SECRETS.map((name) => `${name}_FILE`),
  ...SETTABLE_LIMITS.map((name) => `LIMIT_${name}`),
  ...FORMER,
  NGINX_VARIABLE,
]);

/** Refuses misspelled names: they would have no effect, and would go unnoticed. */
function misspelledVariables(present: Present): string[] {
  return Object.keys(present)
    .filter((name) => OWN.test(name) && !KNOWN.has(name) && !SERVICE_LINK.test(name))
    .map((name) => `${name}: unknown ${name.startsWith("LIMIT_") ? "limit" : "variable"}`);
}

/** Environment variables, by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables, and their parsed settings, which are read once. */
interface Source {
  readonly variables: Variables;
  readonly reading: () => EnvironmentReading;
}

const override = new AsyncLocalStorage<Source>();
let ofProcess: Source | undefined;

function currentSource(): Source {
  return override.getStore() ?? (ofProcess ??= sourceOf(process.env));
}

function sourceOf(variables: Variables, scope?: Scope): Source {
  let reading: EnvironmentReading | undefined;
  return { variables, reading: () => (reading ??= readEnvironment(variables, scope)) };
}

/** Runs an operators' command with these variables instead of the process's own. */
export function withVariables<Value>(source: Variables, work: () => Value): Value {
  return override.run(sourceOf(source), work);
}

/** Restricts this process to some of its variables. Must be called before any variable is read. */
export function restrictTo(scope: Scope): void {
  ofProcess = sourceOf(process.env, scope);
}

/** Runs work that is restricted to some of the variables. */
export function withScope<Value>(scope: Scope, work: () => Value): Value {
  return override.run(sourceOf(currentSource().variables, scope), work);
}

/** The environment, or its problems. That of the process is read once. */
export function processEnvironment(): EnvironmentReading {
  return currentSource().reading();
}

/**
 * The environment. A bad one ends the process with exit code 1 and one line per problem on stderr, because the portal
 * can do nothing useful with it.
 */
export function environment(): Environment {
  const { variables: set, reading } = currentSource();
  const read = reading();
  // With the brand's problems, which are found later otherwise, so that one start names everything missing.
  if (!read.ok) failStartup([...read.problems, ...demoBrandProblems(set)]);
  return read.environment;
}

/** Warns at startup of each limit that is still set but has become a constant. */
export function warnOfFormerLimits(): void {
  const { variables: set } = currentSource();
  for (const name of FORMER)
    if (set[name]) warnAtStartup(`${name}: has no effect, since this limit is a constant now; remove it`);
}

/**
 * The environment for another program that we start: `PATH`, and these variables. It gets none of the portal's secrets.
 */
export function toolEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH } = currentSource().variables;
  return { NODE_ENV: process.env.NODE_ENV, ...(PATH !== undefined && { PATH }), ...variables };
}

/** Sets the address for remix-serve. Without `HOST` it would listen on every interface. */
export function listenAsConfigured(): void {
  process.env["HOST"] = environment().HOST;
}
