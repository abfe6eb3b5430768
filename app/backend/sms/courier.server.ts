import type { Limits } from "~/platform/limits";
import type { Log } from "~/platform/log.server";
import { metrics } from "~/platform/metrics.server";
import { SECOND, type Clock } from "../clock.server";
import type { Keyring } from "../secrets/keyring.server";
import { afterCommit } from "../store/after-commit.server";
import type { Store, Tx } from "../store/store.server";
import type { Delivery, SmsGateway } from "./gateway.server";
import {
  claimRow,
  deleteEnded,
  deleteRow,
  dueIds,
  openRow,
  postponeRow,
  putRow,
  queueLength,
  type QueueRow,
} from "./queue-rows.server";
import type { SmsMessage, SmsQueue } from "./sms-queue.server";

/** What a courier works with. */
export interface CourierParts {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly gateway: SmsGateway;
}

/** A claim outlives its attempt by far; after that its process must have been killed. */
const CLAIM_IN_ATTEMPTS = 3;

/** As the metric calls them. */
const RESULTS = { accepted: "accepted", refused: "rejected", later: "retried" } as const;

/**
 * Carries the messages of the queue to the gateway, outside of any transaction. Every process has one: a message is
 * claimed before each attempt, and deleted when the gateway has it. So none is lost, and one that was taken by the
 * gateway just before the process was killed is offered again, under the same id.
 */
export class Courier implements SmsQueue {
  readonly #parts: CourierParts;
  readonly #hands = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #looking = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** Looks into the queue now and every `SMS_POLL_MS`: for what another process left, and for what is due again. */
  start(): void {
    metrics().smsQueue.feed(() => this.#queue());
    const look = () => {
      this.#looking = this.lookAround();
    };
    this.#timer = setInterval(look, this.#parts.limits.SMS_POLL_MS);
    this.#timer.unref();
    look();
  }

  async put(tx: Tx, message: SmsMessage): Promise<void> {
    await putRow(tx, this.#parts.keyring, message);
    afterCommit(tx, () => {
      this.#lendHand();
    });
  }

  /** Drops what has ended, and sends what is due. Never throws. */
  async lookAround(): Promise<void> {
    if (this.#isClosing) return;
    try {
      await this.#dropEnded();
      this.#lendHand();
    } catch (error) {
      this.#parts.log.error({ event: "sms-queue-failed", err: error }, "sms");
    }
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#hands.size > 0) await Promise.all(this.#hands);
  }

  /** Starts nothing new; what is being sent has `SMS_STOP_MS` to end, and is left to the next process after that. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    const deadline = setTimeout(() => {
      this.#stop.abort();
    }, this.#parts.limits.SMS_STOP_MS);
    await this.#looking;
    await this.idle();
    clearTimeout(deadline);
  }

  /** One more of at most `SMS_PARALLEL` begins to work. */
  #lendHand(): void {
    if (this.#isClosing || this.#hands.size >= this.#parts.limits.SMS_PARALLEL) return;
    const hand = this.#work()
      .catch((error: unknown) => {
        this.#parts.log.error({ event: "sms-queue-failed", err: error }, "sms");
      })
      .finally(() => this.#hands.delete(hand));
    this.#hands.add(hand);
  }

  async #work(): Promise<void> {
    for (;;) {
      const row = await this.#claimNext();
      if (!row) return;
      // There may be more: a slow attempt holds up nobody else.
      this.#lendHand();
      await this.#settle(row, await this.#attempt(row));
    }
  }

  async #claimNext(): Promise<QueueRow | undefined> {
    const { store, clock, limits } = this.#parts;
    while (!this.#isClosing) {
      const ids = await dueIds(store.read, clock(), limits.SMS_PARALLEL);
      if (ids.length === 0) return undefined;
      for (const id of ids) {
        const now = clock();
        const claimedUntil = now + CLAIM_IN_ATTEMPTS * limits.SMS_SEND_MS;
        const row = await store.write((tx) => claimRow(tx, id, now, claimedUntil));
        if (row) return row;
      }
    }
    return undefined;
  }

  async #attempt(row: QueueRow): Promise<Delivery> {
    const { keyring, gateway } = this.#parts;
    try {
      return await gateway.send(openRow(keyring, row), this.#stop.signal);
    } catch {
      return { kind: "later", reason: "it cannot be decrypted", alarm: true };
    }
  }

  async #settle(row: QueueRow, delivery: Delivery): Promise<void> {
    const { store, clock, limits } = this.#parts;
    this.#report(row, delivery);
    if (delivery.kind !== "later") return store.write((tx) => deleteRow(tx, row.id));
    const dueAt = Math.min(clock() + waitAfter(row.tries, limits), row.ends_at);
    return store.write((tx) => postponeRow(tx, row, dueAt));
  }

  async #dropEnded(): Promise<void> {
    const { store, clock, log, gateway } = this.#parts;
    const ended = await store.write((tx) => deleteEnded(tx, clock()));
    for (const { id, purpose, request_id, tries } of ended) {
      const facts = { sms: id, requestId: request_id, purpose, tries, gateway: gateway.name };
      log.error({ event: "sms-given-up", ...facts }, "sms");
      metrics().smsDeliveries.inc({ gateway: gateway.name, result: "given-up" });
    }
  }

  async #queue() {
    const { messages, oldest } = await queueLength(this.#parts.store.read);
    const waitedMs = oldest === undefined ? 0 : this.#parts.clock() - oldest;
    return { messages, oldestSeconds: Math.max(0, waitedMs / SECOND) };
  }

  /** Neither number nor text (S93). */
  #report({ id, purpose, request_id, tries }: QueueRow, delivery: Delivery): void {
    const { log, gateway } = this.#parts;
    const facts = { sms: id, requestId: request_id, purpose, tries, gateway: gateway.name };
    metrics().smsDeliveries.inc({ gateway: gateway.name, result: RESULTS[delivery.kind] });
    if (delivery.kind === "accepted") log.info({ event: "sms-accepted", ...facts }, "sms");
    else if (delivery.kind === "refused")
      log.error({ event: "sms-refused", ...facts, reason: delivery.reason }, "sms");
    else if (delivery.alarm)
      log.error({ event: "sms-gateway-unusable", ...facts, reason: delivery.reason }, "sms");
    else log.warn({ event: "sms-postponed", ...facts, reason: delivery.reason }, "sms");
  }
}

/** Twice as long after each attempt, up to a bound (ms). */
function waitAfter(tries: number, { SMS_RETRY_SECONDS, SMS_RETRY_MAX_SECONDS }: Limits): number {
  return Math.min(SMS_RETRY_SECONDS * 2 ** (tries - 1), SMS_RETRY_MAX_SECONDS) * SECOND;
}
