import { CALLS } from "~/contract/calls.server";
import { customerNumber, PASSWORD } from "../bench/accounts";
import type { HttpAnswer } from "../../tests/http-request";
import { Visitor } from "../../tests/visitor";
import type { Canaries, MarkKind } from "./canaries";
import type { Ground } from "./ground";
import type { FuzzOutbox } from "./outbox";

const SECRET_FIELDS = [
  "password",
  "passwordRepeat",
  "newPassword",
  "newPasswordRepeat",
  "authorizationCode",
  "authToken",
  "code",
];
const KEPT_FIELDS = ["newUsername", "newUsernameRepeat", "deviceName", "name"];
/** Calls and forms of a customer who has no account yet. */
const NEWCOMERS = ["register", "set-password", "registerInit", "registerConfirm"];
/** Forms and calls that take the portal password, not a new one. */
const SIGN_INS = ["home", "remind-login-final", "login"];
const NO_CODE = "000000";
/** The right value of a field that isn't text. */
export const TRUE = "true";
/** The pages that a new password leads to once it is taken. */
const TAKEN = ["/cp", "/cp/profile"];

/** What a visitor of a walk knows: the right value of each field for an account, and for a customer who may register. */
export class FuzzCustomer {
  /** Numbers of the account and of the newcomer among the customers of the run. */
  readonly account: number;
  readonly newcomer: number;
  visitor: Visitor;
  readonly #outbox: Pick<FuzzOutbox, "codeTo">;
  readonly #canaries: Canaries;
  /** The codes it has read. */
  readonly codes = new Set<string>();
  #username: string;
  #password = PASSWORD;
  #nth = 0;

  constructor(
    { portal, outbox }: Pick<Ground, "portal" | "outbox">,
    canaries: Canaries,
    account: number,
    newcomer: number,
  ) {
    this.#outbox = outbox;
    this.#canaries = canaries;
    this.account = account;
    this.newcomer = newcomer;
    this.visitor = new Visitor(portal);
    this.#username = customerNumber(account).username;
  }

  /** The mark for texts typed into this field. */
  mark(field: string): string {
    return this.#canaries.mark(kindOf(field), this.account);
  }

  /** A new password and a new name for the next form: two fields of one form get the same. */
  turn(): void {
    this.#nth += 1;
  }

  /** The right value of this field of a form or call. */
  async right(field: string, where: string): Promise<string> {
    const isNew = NEWCOMERS.includes(where);
    const customer = customerNumber(isNew ? this.newcomer : this.account);
    switch (field) {
      case "username":
        return this.#username;
      case "policyNo":
        return customer.policyNo;
      case "pid":
        return customer.pid;
      case "authorizationCode":
      case "authToken":
        return this.#codeFor(customer.phone);
      case "password":
        return SIGN_INS.includes(where) ? this.#password : this.#newPassword();
      case "newPassword":
      case "newPasswordRepeat":
      case "passwordRepeat":
        return this.#newPassword();
      case "newUsername":
      case "newUsernameRepeat":
        return `${this.mark("newUsername")}.${this.#nth}`;
      case "deviceName":
      case "name":
        return this.mark(field);
      case "method":
        return "sms";
      case "code":
        return NO_CODE;
      case "trustDevice":
        return "Y";
      case "resend":
      case "on":
        return TRUE;
      case "id":
        if (where === "endSession") return this.#listedSession();
        return where === "document" ? `confirmation-${customer.policyId}` : customer.policyId;
      case "mode":
        return "create";
      default:
        return "1";
    }
  }

  /** Remembers a new password or name that the portal has just taken. */
  learn(form: string, fields: ReadonlyMap<string, string>, { header }: HttpAnswer): void {
    if (!TAKEN.includes(header("Location") ?? "")) return;
    if (form === "change-login") this.#username = fields.get("newUsername") ?? this.#username;
    else this.#password = fields.get("newPassword") ?? this.#password;
  }

  /** Cookies and codes of this visitor: no page may hold one. */
  secrets(): readonly string[] {
    return [...this.visitor.cookies.values()].flatMap(tokensIn);
  }

  #newPassword(): string {
    return `Kanarek-${this.mark("newPassword")}-${this.#nth}!`;
  }

  /** The session last used, as the backend lists it: the visitor's own. */
  async #listedSession(): Promise<string> {
    const { status, body, header } = await this.visitor.call("GET", "/cp/api/sessions");
    // A planted server answers everything with a page.
    const isList = status === 200 && header("Content-Type")?.startsWith("application/json") === true;
    return isList ? (CALLS.sessions.response.parse(JSON.parse(body)).sessions[0]?.id ?? "1") : "1";
  }

  async #codeFor(phone: string): Promise<string> {
    const code = await this.#outbox.codeTo(phone);
    if (code === undefined) return NO_CODE;
    this.codes.add(code);
    return code;
  }
}

const LONG_ENOUGH = /[\w-]{20,}/g;

/** The parts of a cookie's value that are long enough to be secrets. */
export function tokensIn(value: string): readonly string[] {
  return value.match(LONG_ENOUGH) ?? [];
}

function kindOf(field: string): MarkKind {
  if (SECRET_FIELDS.includes(field)) return "secret";
  return KEPT_FIELDS.includes(field) ? "kept" : "typed";
}
