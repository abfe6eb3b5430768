import type { CallName } from "~/contract/calls.server";
import type { NamedMemory } from "~/visit/flow.server";

/** A backend's answer to one call. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: object;
}

/** The answers that differ from "done". */
type ScriptedAnswers = Readonly<Partial<Record<CallName, ScriptedAnswer>>>;

/**
 * A screen in one of its states: what a visitor brings and does, and what the backend says. The rest is the portal
 * itself.
 */
export interface ScreenState {
  /** `screen` or `screen/state`, as in the gallery's addresses. */
  readonly id: string;
  /** Path and query of the screen. */
  readonly path: string;
  /** Whether cookies were accepted; yes, unless set. */
  readonly consent?: false;
  readonly session?: "pending" | "active";
  readonly flow?: NamedMemory;
  /** The form that was sent, if any. */
  readonly sent?: Readonly<Record<string, string>>;
  readonly answers?: ScriptedAnswers;
}

/** The states of one screen: what they share, and what each adds. The unnamed state is the screen as first opened. */
export function statesOf(
  screen: string,
  shared: Omit<ScreenState, "id">,
  states: Readonly<Record<string, Partial<Omit<ScreenState, "id">>>> = {},
): readonly ScreenState[] {
  const others = Object.entries(states).map(([name, own]) => ({
    ...shared,
    ...own,
    id: `${screen}/${name}`,
  }));
  return [{ ...shared, id: screen }, ...others];
}

/** A catalogue refusal (specification §8). */
export function refusal(errorCode: string, facts: object = {}): ScriptedAnswer {
  return { status: 400, body: { errorCode, ...facts } };
}

/** When the codes of the gallery were sent: always the same, so that pictures can be compared. */
export const SENT_AT = Date.UTC(2026, 0, 15, 8, 5);
