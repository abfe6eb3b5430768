import type { Log } from "~/platform/telemetry/log.server";
import { SECOND, type Clock } from "~/platform/time.server";
import { forgetMessage, noteDelivery, noteGivenUp } from "./message-states.server";
import type { QueueRows } from "./queue-rows.server";
import type { Delivery } from "./sms/gateway.server";
import type { Store } from "./store/store.server";
import type { MessageGateway, MessagePurpose } from "./store/column-values.server";

/** The parts of the backend that a sender uses. */
export interface SenderDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

/** The limits of one queue. */
interface SenderLimits {
  /** How many workers may be busy at once. */
  readonly parallel: number;
  /** How often a process looks for messages that are due again or that another process left, in ms. */
  readonly pollMs: number;
  /** How long messages that are being sent may take to finish when the process stops, in ms. */
  readonly stopMs: number;
  /** How long an attempt may take, in ms. */
  readonly attemptMs: number;
  /** The wait before the second attempt, in s. It doubles with each one … */
  readonly retrySeconds: number;
  /** … up to this. */
  readonly retryMaxSeconds: number;
}

/** The names of a sender's log events. */
interface SenderEvents {
  readonly accepted: string;
  readonly refused: string;
  readonly postponed: string;
  /** No message will be accepted until an operator has mended something. */
  readonly unusable: string;
  /** The message expired. */
  readonly givenUp: string;
  /** The queue can't be read or written. */
  readonly failed: string;
}

/** Results of attempts, as metrics name them. `retried`: the message stays in the queue; `given-up`: it expired. */
export const DELIVERY_RESULTS = ["accepted", "retried", "rejected", "given-up"] as const;
type DeliveryResult = (typeof DELIVERY_RESULTS)[number];
const RESULTS = { accepted: "accepted", refused: "rejected", later: "retried" } as const;

interface SenderSettings<Row> {
  /** Marks the log lines. */
  readonly name: "sms" | "mail";
  readonly events: SenderEvents;
  readonly limits: SenderLimits;
  readonly rows: QueueRows<Row>;
}

/** The result of an attempt, and the gateway that gave it. */
export interface Attempt<Gateway extends MessageGateway> {
  readonly gateway: Gateway;
  readonly delivery: Delivery;
}

/** The columns that every queue has. */
interface QueuedRow {
  readonly id: string;
  readonly request_id: string;
  readonly tries: number;
  readonly ends_at: number;
}

/** A claim lasts much longer than an attempt, so if it expires, the process must have been killed. */
const CLAIM_IN_ATTEMPTS = 3;

/**
 * Sends the messages of a queue, outside any transaction. Every process has a sender. It claims a message before each
 * attempt and deletes it once the gateway has accepted it, so no message is lost. If the process is killed in between,
 * the message is offered again under the same id.
 */
export abstract class QueueSender<
  Row extends QueuedRow,
  Gateway extends MessageGateway,
  Due extends { readonly id: string } = { readonly id: string },
> {
  readonly #deps: SenderDependencies;
  readonly #settings: SenderSettings<Row>;
  readonly #busy = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #checking = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(deps: SenderDependencies, settings: SenderSettings<Row>) {
    this.#deps = deps;
    this.#settings = settings;
  }

  /** Up to `most` messages that are due, the most urgent first. */
  protected abstract due(now: number, most: number): Promise<readonly Due[]>;
  /** Whether a message has no recipient, so that it is dropped. */
  protected abstract isDecoy(row: Row): boolean;
  /** Tries once. Undefined if the message has no recipient any more. Throws if one can't be looked up. */
  protected abstract attempt(row: Row, signal: AbortSignal): Promise<Attempt<Gateway> | undefined>;
  /** The gateway that an expired message was waiting for. */
  protected abstract readonly firstGateway: Gateway;
  protected abstract purposeOf(row: Row): MessagePurpose;
  protected abstract count(gateway: Gateway, result: DeliveryResult): void;
  /** The facts about a message in log lines: neither its recipient nor its text (S93). */
  protected abstract facts(row: Row, gateway: Gateway): Readonly<Record<string, unknown>>;

  /** Whether a worker may take this message now. Without this method, any message may be taken. */
  protected mayTake?(due: Due): boolean;
  /** Called when a worker is done with a message that it took. */
  protected leave?(message: Due | Row): void;

  /** Checks the queue now and every `pollMs`, for messages that are due again or that another process left. */
  start(): void {
    const look = () => {
      this.#checking = this.checkQueue();
    };
    this.#timer = setInterval(look, this.#settings.limits.pollMs);
    this.#timer.unref();
    look();
  }

  /** Drops expired messages and sends those that are due. Never throws. */
  async checkQueue(): Promise<void> {
    if (this.#isClosing) return;
    try {
      await this.#dropEnded();
      this.begin();
    } catch (error) {
      this.#reportFailure(error);
    }
  }

  /** Starts one more worker, up to `parallel`. */
  protected begin(): void {
    if (this.#isClosing || this.#busy.size >= this.#settings.limits.parallel) return;
    const worker = this.#work()
      .catch((error: unknown) => {
        this.#reportFailure(error);
      })
      .finally(() => this.#busy.delete(worker));
    this.#busy.add(worker);
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy);
  }

  /** Starts nothing new. Messages being sent have `stopMs` to finish; the next process sends the rest. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    const deadline = setTimeout(() => {
      this.#stop.abort();
    }, this.#settings.limits.stopMs);
    await this.#checking;
    await this.idle();
    clearTimeout(deadline);
  }

  async #work(): Promise<void> {
    for (;;) {
      const row = await this.#claimNext();
      if (!row) return;
      // There may be more, and a slow attempt must not hold them up.
      this.begin();
      try {
        await this.#deliver(row);
      } finally {
        this.leave?.(row);
      }
    }
  }

  async #claimNext(): Promise<Row | undefined> {
    while (!this.#isClosing) {
      const due = await this.due(this.#deps.clock(), this.#settings.limits.parallel);
      let isTried = false;
      for (const one of due) {
        if (this.mayTake?.(one) === false) continue;
        isTried = true;
        const row = await this.#claim(one);
        if (row) return row;
      }
      if (!isTried) return undefined;
    }
    return undefined;
  }

  async #claim(one: Due): Promise<Row | undefined> {
    const { rows, limits } = this.#settings;
    const now = this.#deps.clock();
    const claimedUntil = now + CLAIM_IN_ATTEMPTS * limits.attemptMs;
    let row: Row | undefined;
    try {
      row = await this.#deps.store.write((tx) => rows.claimRow(tx, one.id, now, claimedUntil));
      return row;
    } finally {
      if (!row) this.leave?.(one);
    }
  }

  async #deliver(row: Row): Promise<void> {
    const attempt = this.isDecoy(row) ? undefined : await this.attempt(row, this.#stop.signal);
    if (attempt) await this.#recordDelivery(row, attempt);
    else await this.#forget(row);
  }

  async #forget({ id }: Row): Promise<void> {
    await this.#deps.store.write(async (tx) => {
      await this.#settings.rows.deleteRow(tx, id);
      await forgetMessage(tx, id);
    });
  }

  async #recordDelivery(row: Row, { gateway, delivery }: Attempt<Gateway>): Promise<void> {
    const { rows, limits } = this.#settings;
    this.#report(row, { gateway, delivery });
    const now = this.#deps.clock();
    const { id, request_id, tries, ends_at } = row;
    await this.#deps.store.write(async (tx) => {
      if (delivery.kind === "later")
        await rows.postponeRow(tx, row, Math.min(now + waitAfter(tries, limits), ends_at));
      else await rows.deleteRow(tx, id);
      await noteDelivery(tx, { id, purpose: this.purposeOf(row), request_id }, { delivery, gateway, now });
    });
  }

  async #dropEnded(): Promise<void> {
    const { rows, events, name } = this.#settings;
    const now = this.#deps.clock();
    const ended = await this.#deps.store.write(async (tx) => {
      const deleted = await rows.deleteEnded(tx, now);
      const ids = deleted.map(({ id }) => id);
      await noteGivenUp(tx, ids, now);
      return deleted;
    });
    for (const row of ended.filter((one) => !this.isDecoy(one))) {
      const facts = this.facts(row, this.firstGateway);
      this.#deps.log.error({ event: events.givenUp, ...facts }, name);
      this.count(this.firstGateway, "given-up");
    }
  }

  #report(row: Row, { gateway, delivery }: Attempt<Gateway>): void {
    const { events, name } = this.#settings;
    const { log } = this.#deps;
    const facts = this.facts(row, gateway);
    this.count(gateway, RESULTS[delivery.kind]);
    if (delivery.kind === "accepted") {
      log.info({ event: events.accepted, ...facts }, name);
      return;
    }
    const { reason } = delivery;
    if (delivery.kind === "refused") log.error({ event: events.refused, ...facts, reason }, name);
    else if (delivery.alarm) log.error({ event: events.unusable, ...facts, reason }, name);
    else log.warn({ event: events.postponed, ...facts, reason }, name);
  }

  #reportFailure(error: unknown): void {
    const { events, name } = this.#settings;
    this.#deps.log.error({ event: events.failed, err: error }, name);
  }
}

/** The wait before the next attempt (ms): doubles each time, up to a limit. */
function waitAfter(tries: number, { retrySeconds, retryMaxSeconds }: SenderLimits): number {
  return Math.min(retrySeconds * 2 ** (tries - 1), retryMaxSeconds) * SECOND;
}
