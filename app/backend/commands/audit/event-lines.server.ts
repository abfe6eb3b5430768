import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { stringify } from "csv-stringify";
import { inOneLine, jsonText } from "../kit/output.server";
import type { StoredEvent } from "../../services/audit/event-hash.server";

/** How events are written. */
export const FORMATS = ["text", "jsonl", "csv"] as const;
export type Format = (typeof FORMATS)[number];

/** Events already read, or still being read. */
export type Events = AsyncIterable<StoredEvent> | readonly StoredEvent[];

/** The columns for other programs, in order. */
function columnsOf(event: StoredEvent) {
  return {
    time: new Date(event.happened_at).toISOString(),
    event: event.event,
    account: event.account_id,
    subject: event.subject,
    purpose: event.purpose,
    device: event.device_name,
    address: event.address,
    request: event.request_id,
    operator: event.operator,
    reason: event.reason,
    erased: event.erased_hash !== null,
    seq: event.seq,
    id: event.id,
  };
}

/** Writes events as fast as the reader takes them. */
export async function writeEvents(events: Events, format: Format, out: Writable): Promise<void> {
  // Keep standard output open for what follows.
  const open = { end: false };
  if (format === "csv") {
    // A spreadsheet must not mistake text for a formula, nor a terminal for a command.
    const csv = stringify({
      header: true,
      escape_formulas: true,
      cast: { boolean: String, string: inOneLine },
    });
    await pipeline(Readable.from(mapped(events, columnsOf)), csv, out, open);
    return;
  }
  const line = format === "jsonl" ? (event: StoredEvent) => jsonText(columnsOf(event)) : inWords;
  await pipeline(Readable.from(mapped(events, (event) => `${line(event)}\n`)), out, open);
}

async function* mapped<To>(events: Events, map: (event: StoredEvent) => To): AsyncGenerator<To> {
  for await (const event of events) yield map(event);
}

const WIDEST_EVENT = "sign-in-refused-by-state".length;

/** An event on one line, for people. */
function inWords(event: StoredEvent): string {
  const { account, subject, purpose, device, address, request, operator, reason, time, erased } =
    columnsOf(event);
  const facts = Object.entries({ account, subject, purpose, device, address, request, operator, reason })
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}=${/^[\w.:•-]+$/.test(String(value)) ? value : JSON.stringify(value)}`);
  const words = [time, event.event.padEnd(WIDEST_EVENT), ...(erased ? ["(erased)"] : facts)];
  return inOneLine(words.join("  ").trimEnd());
}
