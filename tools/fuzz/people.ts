import { NAMED } from "../../tests/demo-customers";

/**
 * Usernames of the run's customers. They are stored in clear, so only pages, logs and metrics are searched for them.
 */
const USERNAME = String.raw`klient\.probny\.(?<user>\d+)`;

/** Every phone number of the run and of the demo; the helpline's numbers begin differently. */
const PHONE = String.raw`(?:6000\d{5}|500[1-3]00\d{3})`;

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const NAMES = [
  String.raw`Klient Próbny (?<nth>\d+)`,
  // All eight digits: five letters and a digit turn up by chance in encrypted text.
  String.raw`BENCH(?=\d{8})0*(?<pid>\d+)`,
  // The number of a request may begin with as many digits, so a phone number without its prefix stands alone.
  String.raw`\+48${PHONE}|(?<![\w-])(?:48)?${PHONE}(?![\w-])`,
  ...NAMED.flatMap(({ name, pid }) => [literal(name), literal(pid)]),
].join("|");

/** Finds details that tell one customer from another in a page, the log or the metrics. */
export const PEOPLE = new RegExp(`${NAMES}|${USERNAME}`, "gi");
/** Finds details that a database may not hold in clear; its bytes are read as Latin-1, and so are the names here. */
export const PEOPLE_IN_BYTES = new RegExp(Buffer.from(NAMES).toString("latin1"), "gi");
