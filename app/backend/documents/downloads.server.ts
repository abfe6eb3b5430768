import type { PdfFile } from "~/contract/pdf-file.server";
import { type Outcome, type Refusal, TOO_BUSY } from "~/contract/refusal.server";
import type { Limits } from "~/platform/config/limits";
import { type GiveBack, Slots } from "~/platform/slots.server";
import { collectGarbage } from "./collect-garbage";
import { PdfWorkBusy } from "./pdf-work.server";

/** Two, so that the next document is read while one is encrypted; each read takes a database connection. */
const READS_AT_ONCE = 2;

/** Documents of this size leave three times as much garbage: the content read, its parts, and the file sent. */
const COLLECT_AFTER_BYTES = 10 * 1024 * 1024;

/** A part of 256 KB leaves 2 MB of garbage in PostgreSQL's driver. */
const COLLECT_AFTER_READS = 4;

/** How soon an account with too many unfinished downloads may ask again. */
const TOO_MANY: Refusal = { kind: "rate-limited", retryAfterSeconds: 10 };

/** When a download must stop. */
export interface DownloadEnds {
  /** Aborted when the time for making its document is over. */
  readonly late: AbortSignal;
  /** Aborted when its client has left. */
  readonly left: AbortSignal | undefined;
}

/** The place of a download, from before anything is read until the last piece of the answer is handed over. */
export interface DownloadPlace {
  /** Reads something from the database, in turn with the other downloads. */
  readonly inTurn: InTurn;
  /** Ends the download. */
  readonly end: GiveBack;
}

/** Reads something when its turn comes. */
export type InTurn = <Value>(read: () => Promise<Value>) => Promise<Value>;

/**
 * The unfinished downloads of this process: only a few at once, because each holds its document in memory, and fewer of
 * one account (S128).
 */
export class Downloads {
  readonly #mostOfAccount: number;
  readonly #mostWaiting: number;
  readonly #waitMs: number;
  readonly #ofAccounts = new Map<string, number>();
  readonly #places: Slots;
  readonly #reads = new Slots(READS_AT_ONCE);
  #bytesMade = 0;
  #readsDone = 0;

  constructor(limits: Pick<Limits, "DOCUMENTS_AT_ONCE" | "DOCUMENT_PLACES" | "PDF_WAITING" | "PDF_MS">) {
    this.#mostOfAccount = limits.DOCUMENTS_AT_ONCE;
    this.#mostWaiting = limits.PDF_WAITING;
    // A download that gets its place later is unlikely to finish in time, and its work would be lost.
    this.#waitMs = Math.ceil(limits.PDF_MS / 2);
    this.#places = new Slots(limits.DOCUMENT_PLACES);
  }

  /**
   * Makes a file while holding a place. The file's body must end the download; if the client leaves, or there is no
   * file, it ends by itself. If the client leaves early, the place stays taken until the work is done and its memory free.
   */
  async run(
    accountId: string,
    { late, left }: DownloadEnds,
    make: (place: DownloadPlace) => Promise<Outcome<PdfFile>>,
  ): Promise<Outcome<PdfFile>> {
    const unfinished = this.#ofAccounts.get(accountId) ?? 0;
    if (unfinished >= this.#mostOfAccount) return TOO_MANY;
    if (this.#places.waiting >= this.#mostWaiting) return TOO_BUSY;
    this.#ofAccounts.set(accountId, unfinished + 1);
    const stop = left ? AbortSignal.any([late, left]) : late;
    const waitedTooLong = AbortSignal.timeout(this.#waitMs);
    let giveBack: GiveBack | undefined;
    let isEnded = false;
    const end = () => {
      if (isEnded) return;
      isEnded = true;
      giveBack?.();
      this.#forget(accountId);
    };
    let isMade = false;
    const inTurn: InTurn = (read) => this.#read(isMade ? left : stop, read);
    try {
      giveBack = await this.#places.take(AbortSignal.any([stop, waitedTooLong]));
      const outcome = await make({ inTurn, end });
      stop.throwIfAborted();
      isMade = true;
      if (outcome.kind === "done") {
        left?.addEventListener("abort", end, { once: true });
        this.#collectAfter(outcome.value.bytes ?? 0);
      } else end();
      return outcome;
    } catch (error) {
      end();
      if (stop.aborted || giveBack === undefined || error instanceof PdfWorkBusy) return TOO_BUSY;
      throw error;
    }
  }

  async #read<Value>(stop: AbortSignal | undefined, read: () => Promise<Value>): Promise<Value> {
    const giveBack = await this.#reads.take(stop);
    try {
      return await read();
    } finally {
      giveBack();
      this.#readsDone += 1;
      if (this.#readsDone % COLLECT_AFTER_READS === 0) setImmediate(collectGarbage, "young");
    }
  }

  #collectAfter(bytes: number): void {
    this.#bytesMade += bytes;
    if (this.#bytesMade < COLLECT_AFTER_BYTES) return;
    this.#bytesMade = 0;
    setImmediate(collectGarbage, "all");
  }

  #forget(accountId: string): void {
    const others = (this.#ofAccounts.get(accountId) ?? 0) - 1;
    if (others > 0) this.#ofAccounts.set(accountId, others);
    else this.#ofAccounts.delete(accountId);
  }
}
