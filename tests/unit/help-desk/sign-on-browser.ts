import { createElement } from "react";
import type { StaffScreen } from "~/help-desk/screen";
import { requireFresh } from "~/help-desk/session.server";
import type { HttpAnswer } from "../../http-request";
import { Visitor } from "../../visitor";
import type { ServedHelpDesk } from "./help-desk-server";

const page = (title: string) => Promise.resolve({ title, body: createElement("h1", undefined, title) });
/** Stand for the product's screens: one to look, one to act, one for a grave act. */
export const SCREENS: readonly StaffScreen[] = [
  { path: "/help-desk", role: "look", get: () => page("Look") },
  {
    path: "/help-desk/act/:act",
    role: "act",
    get: async (visit, { act = "" }) => (act === "grave" ? (requireFresh(visit) ?? page(act)) : page(act)),
    post: (_visit, form) => page(form.get("reason") ?? ""),
  },
];

/** A browser that follows redirects between the help desk and its issuer. */
export class Browser {
  readonly #desk: ServedHelpDesk;
  readonly visitors = new Map<string, Visitor>();
  /** Every address it was sent to. */
  readonly went: string[] = [];

  constructor(desk: ServedHelpDesk) {
    this.#desk = desk;
  }

  /** Opens an address and follows redirects, up to one that `stopAt` finds in the address. */
  async open(address: string, stopAt?: string): Promise<HttpAnswer> {
    let here = new URL(address, this.#desk.origin);
    for (;;) {
      const answer = await this.at(here.origin).get(here.pathname + here.search);
      const location = answer.header("Location");
      if (location === undefined) return answer;
      here = new URL(location, here);
      this.went.push(here.href);
      if (stopAt !== undefined && here.href.includes(stopAt)) return answer;
    }
  }

  at(origin: string): Visitor {
    const known = this.visitors.get(origin);
    if (known) return known;
    const noSms = () => Promise.reject(new Error("no SMS"));
    const made = new Visitor({ origin, port: Number(new URL(origin).port), lastCode: noSms });
    this.visitors.set(origin, made);
    return made;
  }
}

/** The reasons of refused sign-ons, as the log has them. */
export const refusals = ({ log }: ServedHelpDesk) =>
  log().flatMap(({ event, reason }) => (event === "staff-refused" ? [reason] : []));
