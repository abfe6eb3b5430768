import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { environment } from "~/platform/config/environment.server";
import { openPayload, type SealedFor, sealPayload } from "~/platform/sealing.server";
import { SECOND } from "~/platform/time.server";
import type { TextKey } from "~/i18n/texts.server";

let own: readonly string[] | undefined;

/**
 * The secrets for the portal's flow cookie: the first one seals, any of them opens. They come from `SESSION_SECRET`. A
 * demo without it makes one at the first start and keeps it in `DATA_DIR`, readable by its owner only.
 */
export function sessionSecrets(): readonly string[] {
  const { SESSION_SECRET, DATA_DIR } = environment();
  return SESSION_SECRET ?? (own ??= [ownSecret(DATA_DIR)]);
}

function ownSecret(folder: string): string {
  const file = join(folder, "session.key");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    // `wx`: if two processes start at once, one creates the file and both read it.
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(file, "utf8").trim();
}

/**
 * The memory of a journey between its screens (specification §4). It travels in an encrypted, authenticated cookie, so
 * the portal needs no database of its own. A browser is in one flow at a time.
 */
export interface FlowDefinition<Memory> {
  /** Tells this flow's memory apart from others. */
  readonly name: string;
  readonly memory: z.ZodType<Memory>;
  /** The first screen. Opening a later screen without the earlier steps leads there. */
  readonly startsAt: string;
}

/** A flow's memory as the cookie carries it. */
export interface NamedMemory {
  readonly name: string;
}

/** The memory that every flow keeps of its one-time code. */
export interface SentCode {
  /** When the last code was sent (ms since 1970); absent if none was. */
  readonly codeSentAt?: number | undefined;
  /** Whether the last code was a resend. */
  readonly resent: boolean;
  /** Whether the customer has just pressed a button to get it, so that the empty field may have the focus (F31). */
  readonly pressed?: boolean | undefined;
  /** The masked number it went to, if the backend says so: only after a right password or in a session (F13). */
  readonly sentTo?: string | undefined;
}

const sentCode = z.object({
  codeSentAt: z.number().optional(),
  resent: z.boolean().default(false),
  pressed: z.boolean().optional(),
  sentTo: z.string().optional(),
});

/** A flow that waits for a one-time code. `Kept`: the rest of its memory. */
export type CodeFlow<Kept> = FlowDefinition<Kept & SentCode>;

/** Keys that existed in the previous release. Every other key must be optional. */
type PreviousReleaseKey =
  | "policyNo"
  | "pid"
  | "username"
  | "newUsername"
  | "newUsernameRepeat"
  | "path"
  | "origin"
  | "kind"
  | "texts";

/** A new key must be optional or have a default, because cookies of the previous release don't have it. */
type Memorable<Shape extends z.ZodRawShape> = {
  readonly [Key in keyof Shape]: Key extends PreviousReleaseKey ? Shape[Key] : z.ZodOptional | z.ZodDefault;
};

/** Defines a flow that waits for a one-time code, and the rest of its memory. */
export function defineCodeFlow<Shape extends z.ZodRawShape>(
  name: string,
  startsAt: string,
  shape: Shape & Memorable<Shape>,
): CodeFlow<z.output<z.ZodObject<Shape>>> {
  return { name, startsAt, memory: z.intersection(z.object<Shape>(shape), sentCode) };
}

/** Defines a flow without a code. */
export function defineFlow<Shape extends z.ZodRawShape>(
  name: string,
  startsAt: string,
  shape: Shape & Memorable<Shape>,
): FlowDefinition<z.output<z.ZodObject<Shape>>> {
  return { name, startsAt, memory: z.object<Shape>(shape) };
}

/** The shape of a memory that holds texts with these names. */
export function remembering<Field extends string>(
  fields: readonly Field[],
): Readonly<Record<Field, z.ZodString>> {
  return Object.fromEntries(fields.map((field) => [field, z.string()])) as Record<Field, z.ZodString>;
}

/** A flow's memory, with its name in the cookie. */
export function inFlow<Memory extends object>(
  flow: FlowDefinition<Memory>,
  memory: Memory,
): NamedMemory & Memory {
  return { ...memory, name: flow.name };
}

/** Encrypts a flow's memory for the flow cookie, so that only requests of the same browser open it (S113). */
export function sealFlow(memory: NamedMemory, browser: string): Promise<string> {
  const until = Date.now() + environment().limits.FLOW_SECONDS * SECOND;
  return sealPayload(flowCookie(browser), { flow: memory }, until);
}

/** The content of a flow cookie; undefined if it is forged, expired, not ours or another browser's. */
export async function unsealFlow(sealed: string, browser: string): Promise<unknown> {
  return (await openPayload(flowCookie(browser), sealed, Date.now()))?.["flow"];
}

/** Its key is one browser's. The token is only hashed, not read. */
function flowCookie(browser: string): SealedFor {
  return { use: "flow cookie", secrets: sessionSecrets(), of: browser };
}

/** The memory of this flow, if the cookie holds it. */
export function readMemory<Memory>(
  { name, memory }: FlowDefinition<Memory>,
  held: unknown,
): Memory | undefined {
  const isThisFlow = typeof held === "object" && held !== null && "name" in held && held.name === name;
  return isThisFlow ? memory.safeParse(held).data : undefined;
}

/** A message that the next screen shows once, about what just happened. It travels in the flow cookie. */
export interface Notice {
  readonly kind: "success" | "warning" | "info";
  /** Keys of `locales`, shown one after the other. */
  readonly texts: readonly TextKey[];
  /** A document that the customer can now download. */
  readonly documentId?: string | undefined;
  /** The policy on whose page the journey started. */
  readonly policyId?: string | undefined;
  /** The part of My Data that it concerns, which is shown open. */
  readonly opens?: string | undefined;
  /** Whether the customer has just signed in. */
  readonly afterSignIn?: boolean | undefined;
}

/** The notice as the flow cookie carries it. */
export const noticeFlow = defineFlow("notice", "/home", {
  kind: z.enum(["success", "warning", "info"]),
  // The portal itself sealed them, so they are keys of this release or the previous one.
  texts: z.array(z.custom<TextKey>((key) => typeof key === "string")).readonly(),
  documentId: z.string().optional(),
  policyId: z.string().optional(),
  opens: z.string().optional(),
  afterSignIn: z.boolean().optional(),
});

/** The session ended in the meantime. */
export const SESSION_EXPIRED: Notice = {
  kind: "info",
  texts: ["common:session.expired", "common:session.expiredReason"],
};
/** It ended while a form was filled in. */
export const EXPIRED_UNSAVED: Notice = {
  kind: "info",
  texts: ["common:session.expired", "common:session.unsaved", "common:session.expiredReason"],
};
/** The account was locked, has expired or was disabled while its customer was signed in. */
export const ACCOUNT_BARRED: Notice = { kind: "warning", texts: ["common:session.barred"] };
/** The flow's memory has expired, so the flow starts again. */
export const STEP_LOST: Notice = { kind: "warning", texts: ["common:session.stepLost"] };

/**
 * A username typed on an old sign-in page while another customer was signed in (F15). It survives their sign-out, and the
 * sign-in form shows it once. The password that was typed is never kept.
 */
export const typedUsername = defineFlow("typed-username", "/home", { username: z.string() });

/** Whether the cookie belongs to a flow that another tab has started since. */
export function isFlowOfAnotherTab({ name }: NamedMemory, held: unknown): boolean {
  if (typeof held !== "object" || held === null || !("name" in held)) return false;
  return [name, noticeFlow.name, typedUsername.name].every((own) => own !== held.name);
}
