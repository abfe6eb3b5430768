import { HelpDeskApp } from "~/help-desk/answer.server";
import { cookieLine } from "~/help-desk/cookies.server";
import { helpDeskOn } from "~/help-desk/open.server";
import type { HelpDesk, Staff } from "~/help-desk/screen";
import { SCREENS } from "~/help-desk/screens";
import { sessionLine } from "~/help-desk/session.server";
import { HELP_DESK_SCOPE } from "~/platform/config/command-needs.server";
import { readEnvironment } from "~/platform/config/environment.server";
import { makeLog } from "~/platform/telemetry/log.server";
import type { DatabaseKind } from "../../database";
import { NOON, openTestBackend, type TestBackend } from "../backend/test-backend";
import type { Place } from "../backend/test-place";
import { supportBeside } from "../operators/account/help-desk";

/** Those who sign on in these tests. Their sign-on is as fresh as the clock says. */
export const EWA = { sub: "u-17", name: "ewa.z", mayAct: true };
export const JAN = { sub: "u-18", name: "jan.k", mayAct: true };
export const OLA = { sub: "u-19", name: "ola.n", mayAct: false };

/** A page as somebody's browser got it. */
export interface Got {
  readonly status: number;
  readonly text: string;
  readonly location: string | undefined;
}

/** A portal, and the help desk's screens over its database. */
export interface DeskBeside {
  readonly way: TestBackend;
  readonly desk: HelpDesk;
  /** Moves the clock of both (ms). */
  readonly advance: (ms: number) => void;
  /** A browser in which this person has signed on now; a new one, unless one is given. */
  readonly as: (
    staff: Omit<Staff, "signedOnAt"> & Partial<Pick<Staff, "signedOnAt">>,
    browser?: StaffBrowser,
  ) => Promise<StaffBrowser>;
  /** The events of members of staff, without those of looks. */
  readonly acts: () => Promise<readonly Record<string, unknown>[]>;
  readonly close: () => Promise<void>;
}

/** Opens both. */
export async function openDeskBeside(
  kind: DatabaseKind,
  variables: Readonly<Record<string, string>> = {},
): Promise<DeskBeside> {
  return openDeskOver(await openTestBackend({ kind }), variables);
}

/** Opens the screens over a portal's database, in another role of PostgreSQL if one is given. */
export async function openDeskOver(
  way: TestBackend,
  variables: Readonly<Record<string, string>>,
  role: Place = way.place,
): Promise<DeskBeside> {
  let now = NOON;
  const { store, keyring } = await supportBeside({ ...way, place: role }, () => now);
  const reading = readEnvironment(
    { HELP_DESK_SECRETS: "ZkVb8w2QmL5rT7yXc3NdPq9sJh4gAe6u", ...variables },
    HELP_DESK_SCOPE,
  );
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const log = makeLog("error", process.stderr);
  const desk = helpDeskOn({ store, keyring, clock: () => now, settings: reading.environment, log });
  const app = new HelpDeskApp(desk, SCREENS);
  return {
    way,
    desk,
    advance: (ms) => {
      now += ms;
      way.advance(ms);
    },
    as: async (staff, browser = new StaffBrowser(app, [cookieLine(desk.keys, "language", "pl")])) => {
      const session = { staff: { signedOnAt: now, ...staff }, begunAt: now };
      browser.keep([await sessionLine(desk, session)]);
      return browser;
    },
    acts: () =>
      way.query(
        `select event, operator, reason, device_name from audit_events
        where operator is not null and event not in ('customer-found', 'customer-sought', 'account-shown')
        order by happened_at, id`,
      ),
    close: async () => {
      await store.close();
      await way.close();
    },
  };
}

let requests = 0;

/** A browser without scripts. It keeps cookies, and follows no redirect by itself. */
export class StaffBrowser {
  readonly #app: HelpDeskApp;
  readonly #cookies = new Map<string, string>();

  constructor(app: HelpDeskApp, lines: readonly string[]) {
    this.#app = app;
    this.keep(lines);
  }

  get(path: string): Promise<Got> {
    return this.#ask(path, {});
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<Got> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.#ask(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  }

  /** Finds a customer by a value, and opens them. Returns their page. */
  async open(value: string, reason = "call 1234"): Promise<string> {
    const found = await this.post("/help-desk", { value, reason });
    if (found.location === undefined) return found.text;
    return (await this.get(found.location)).text;
  }

  /** Opens an act's page and returns its form. */
  async form(act: string): Promise<Readonly<Record<string, string>>> {
    const { text } = await this.get(`/help-desk/act/${act}`);
    return hiddenFields(text);
  }

  /** Approves or declines the one act that waits. Returns the page that follows. */
  async decides(intent: "approve" | "decline"): Promise<string> {
    const { id = "" } = hiddenFields((await this.get("/help-desk/waiting")).text);
    const decided = await this.post("/help-desk/waiting", { id, intent });
    return decided.location === undefined ? decided.text : (await this.get(decided.location)).text;
  }

  /** Opens an act's page and presses its button. Returns the customer's page that follows. */
  async does(act: string): Promise<string> {
    const pressed = await this.post(`/help-desk/act/${act}`, await this.form(act));
    return pressed.location === undefined ? pressed.text : (await this.get(pressed.location)).text;
  }

  async #ask(path: string, init: RequestInit): Promise<Got> {
    const request = new Request(`http://help-desk.invalid${path}`, init);
    request.headers.set("Cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const incoming = {
      requestId: `request-${String((requests += 1))}`,
      clientAddress: "192.0.2.7",
      isForwarded: false,
      receivedAt: NOON,
      setCookies: [],
    };
    const answer = await this.#app.handle(request, incoming);
    this.keep(answer.headers.getSetCookie());
    return {
      status: answer.status,
      text: await answer.text(),
      location: answer.headers.get("Location") ?? undefined,
    };
  }

  /** Takes `Set-Cookie` lines. */
  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}

/** The hidden fields of a page's forms, by name; the last of each. */
export function hiddenFields(html: string): Readonly<Record<string, string>> {
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value]));
}

/** A page's visible words. */
export function wordsOf(html: string): string {
  const text = html.replace(/<style.*?<\/style>/s, "").replace(/<[^>]+>/g, " ");
  return text.replace(/&nbsp;|\u00A0/g, " ").replace(/\s+/g, " ");
}
