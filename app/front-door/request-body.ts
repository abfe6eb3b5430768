import type { IncomingHttpHeaders } from "node:http";
import type { FrontDoorRules } from "./policy";
import type { Area } from "./request-target";

/** What can be wrong with a body before any of it is read. */
type BodyProblem =
  | { readonly status: 411; readonly reason: "undeclared-length" }
  | { readonly status: 413; readonly reason: "too-large" }
  | { readonly status: 415; readonly reason: "content-encoding" | "media-type" };

const UNDECLARED: BodyProblem = { status: 411, reason: "undeclared-length" };
const TOO_LARGE: BodyProblem = { status: 413, reason: "too-large" };
const ENCODED: BodyProblem = { status: 415, reason: "content-encoding" };
const OTHER_TYPE: BodyProblem = { status: 415, reason: "media-type" };

const FORM = "application/x-www-form-urlencoded";

/** The body's declared length in bytes; NaN if the head doesn't declare it (chunked). */
export function declaredLength(headers: IncomingHttpHeaders): number {
  if (headers["transfer-encoding"] !== undefined) return Number.NaN;
  return headers["content-length"] === undefined ? 0 : Number(headers["content-length"]);
}

/**
 * What is wrong with a body, judged by the head alone (S63). All our forms are urlencoded, with scripts or without;
 * multipart would only let files in. The backend checks JSON under the API itself.
 */
export function bodyProblem(
  headers: IncomingHttpHeaders,
  writes: boolean,
  area: Area,
  rules: FrontDoorRules,
): BodyProblem | undefined {
  const length = declaredLength(headers);
  if (Number.isNaN(length)) return UNDECLARED;
  if (length > (area === "api" ? rules.apiBodyBytes : rules.formBodyBytes)) return TOO_LARGE;
  if (!writes) return undefined;
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") return ENCODED;
  const type = headers["content-type"];
  if (area === "api" || (length === 0 && type === undefined)) return undefined;
  return type !== undefined && isForm(type) ? undefined : OTHER_TYPE;
}

function isForm(type: string): boolean {
  const parameters = type.indexOf(";");
  return (parameters === -1 ? type : type.slice(0, parameters)).trim().toLowerCase() === FORM;
}
