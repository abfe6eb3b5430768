import { CALLS } from "~/contract/calls.server";
import type { HttpAnswer } from "../../tests/http-request";
import { FORM_NAMES, FORMS, type Form, type FormName } from "./screens";
import { tableLines } from "../../tests/table";
import type { Outcome } from "./promises";

/**
 * How an answer is counted. "went on": a form led to its next screen, a call was done; "by the form": a 400 that shows
 * the form again or a dialog.
 */
const COLUMNS = [
  "went on",
  "by the form",
  "2xx",
  "3xx",
  "400",
  "401",
  "403",
  "404",
  "405",
  "409",
  "411",
  "413",
  "415",
  "422",
  "429",
  "other 4xx",
  "5xx",
  "none",
] as const;
type Column = (typeof COLUMNS)[number];

/** The name under which a form is counted. */
export function formRow(form: FormName): string {
  return `form ${FORMS[form].path}`;
}

const FORM_BY_NAME = new Map<string, Form>(FORM_NAMES.map((name) => [formRow(name), FORMS[name]]));

/** How the answers to each form and call were distributed. */
export class Tally {
  readonly #rows = new Map<string, Map<Column, number>>();
  #requests = 0;

  /** All requests so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Counts the outcome of a request to a form, a call or something else. */
  count(name: string, outcome: Outcome): void {
    this.#requests += 1;
    this.#add(name, outcome.kind === "answered" ? columnOf(name, outcome.answer) : "none", 1);
  }

  /** Adds the counts of another tally. */
  addAll(other: Tally): void {
    this.#requests += other.#requests;
    for (const [name, row] of other.#rows) for (const [column, count] of row) this.#add(name, column, count);
  }

  /** Forms and calls that no request has got through to: they neither went on nor were refused by their own rules. */
  unreached(): readonly string[] {
    const forms = FORM_NAMES.map((name): readonly [string, ...Column[]] => [
      formRow(name),
      "went on",
      "by the form",
    ]);
    // An optional call is refused by its own rule in a 400: a document without a document password, a wrong code.
    const calls = Object.entries(CALLS).map(([name, { mayBeMissing }]): readonly [string, ...Column[]] => [
      `call ${name}`,
      "went on",
      "422",
      ...(mayBeMissing ? (["400"] as const) : []),
    ]);
    return [...forms, ...calls].flatMap(([name, ...columns]) =>
      columns.some((column) => (this.#rows.get(name)?.get(column) ?? 0) > 0) ? [] : [name],
    );
  }

  /** The counts, a line for each form and call. */
  table(): string {
    const used = COLUMNS.filter((column) => [...this.#rows.values()].some((row) => row.has(column)));
    const rows = [...this.#rows]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, row]) => {
        const sum = [...row.values()].reduce((total, count) => total + count, 0);
        return [name, String(sum), ...used.map((column) => String(row.get(column) ?? ""))];
      });
    const figures = used.map(() => "right" as const);
    return tableLines(["", "requests", ...used], rows, ["left", "right", ...figures]).join("\n");
  }

  #add(name: string, column: Column, count: number): void {
    const row = this.#rows.get(name) ?? new Map<Column, number>();
    row.set(column, (row.get(column) ?? 0) + count);
    this.#rows.set(name, row);
  }
}

function columnOf(name: string, { status, body, header }: HttpAnswer): Column {
  if (status >= 500) return "5xx";
  if (name.startsWith("call") && status < 300) return "went on";
  const form = FORM_BY_NAME.get(name);
  if (form) {
    const leadsTo = header("Location") ?? header("X-Location") ?? "";
    if (form.leadsTo.includes(leadsTo)) return "went on";
    if (status === 400 && /role="alert"|aria-invalid="true"|<dialog[^>]* open/.test(body))
      return "by the form";
  }
  if (status < 400) return status < 300 ? "2xx" : "3xx";
  return COLUMNS.find((column) => column === String(status)) ?? "other 4xx";
}
