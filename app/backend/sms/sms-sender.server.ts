import type { Limits } from "~/platform/config/limits";
import type { Log } from "~/platform/telemetry/log.server";
import { counter, levels } from "~/platform/telemetry/metrics.server";
import { SECOND, type Clock } from "~/platform/time.server";
import type { Keyring } from "../secrets/keyring.server";
import { forgetMessage, noteDelivery, noteGivenUp } from "../message-states.server";
import { QueueWorkers } from "../queue-workers.server";
import type { Store, Tx } from "../store/store.server";
import { type Attempt, GatewayPair } from "./fallback.server";
import { GATEWAYS, type SmsGateway } from "./gateway.server";
import {
  claimRow,
  deleteEnded,
  deleteRow,
  type DueRow,
  dueRows,
  isDecoy,
  openRow,
  postponeRow,
  putRow,
  queueLength,
  type QueueRow,
  type SmsMessage,
  type SmsQueue,
} from "./sms-queue.server";

interface SmsSenderDependencies {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
  readonly gateway: SmsGateway;
  /** The second gateway, if there is one. */
  readonly fallback?: SmsGateway | undefined;
}

/** A claim lasts much longer than an attempt, so if it expires, the process must have been killed. */
const CLAIM_IN_ATTEMPTS = 3;

/** Results as the metric names them. */
const RESULTS = { accepted: "accepted", refused: "rejected", later: "retried" } as const;
/**
 * `retried`: the attempt failed, and the message goes on to the fallback or stays in the queue; `given-up`: the message
 * expired.
 */
const deliveries = counter(
  { name: "portal_sms_deliveries_total", help: "Attempts to hand a message over, by gateway and result" },
  { gateway: GATEWAYS, result: ["accepted", "retried", "rejected", "given-up"] },
);
/** Describes the queue in the database, so every process reports the same. */
const queueLevels = levels({
  messages: { name: "portal_sms_queue_messages", help: "Messages waiting for the gateway" },
  oldestSeconds: {
    name: "portal_sms_queue_oldest_seconds",
    help: "Seconds the oldest code has waited; 0 if there is none. Notices don't count",
  },
});

/**
 * Sends queued messages to the gateway, outside any transaction. Every process has a sender. It claims a message before
 * each attempt and deletes it once the gateway has accepted it, so no message is lost. If the process is killed in
 * between, the message is offered again under the same id.
 */
export class SmsSender implements SmsQueue {
  readonly #deps: SmsSenderDependencies;
  readonly #gateways: GatewayPair;
  readonly #workers: QueueWorkers;
  /** How many workers are busy with notices. */
  #onNotices = 0;

  constructor(deps: SmsSenderDependencies) {
    this.#deps = deps;
    this.#gateways = new GatewayPair({
      ...deps,
      first: deps.gateway,
      onPassedOn: ({ id }, attempt) => {
        this.#reportPassedOn(id, attempt);
      },
    });
    const { SMS_PARALLEL, SMS_POLL_MS, SMS_STOP_MS } = deps.limits;
    this.#workers = new QueueWorkers({
      parallel: SMS_PARALLEL,
      pollMs: SMS_POLL_MS,
      stopMs: SMS_STOP_MS,
      dropEnded: () => this.#dropEnded(),
      claim: async () => {
        const row = await this.#claimNext();
        return row && (() => this.#deliver(row));
      },
      onError: (error) => {
        deps.log.error({ event: "sms-queue-failed", err: error }, "sms");
      },
    });
  }

  /** Checks the queue now and every `SMS_POLL_MS`, for messages that are due again or that another process left. */
  start(): void {
    queueLevels.feed(() => this.#queue());
    this.#workers.start();
  }

  async put(tx: Tx, message: SmsMessage): Promise<void> {
    await putRow(tx, this.#deps.keyring, message);
    tx.afterCommit(() => {
      this.#workers.begin();
    });
  }

  /** Drops expired messages and sends those that are due. Never throws. */
  checkQueue(): Promise<void> {
    return this.#workers.check();
  }

  /** Resolves when nothing is being sent. */
  idle(): Promise<void> {
    return this.#workers.idle();
  }

  /** Starts nothing new. Messages being sent have `SMS_STOP_MS` to finish; the next process sends the rest. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  async #deliver(row: QueueRow): Promise<void> {
    try {
      if (isDecoy(row)) await this.#forget(row);
      else await this.#recordDelivery(row, await this.#attempt(row));
    } finally {
      this.#leave(row);
    }
  }

  async #claimNext(): Promise<QueueRow | undefined> {
    const { store, clock, limits } = this.#deps;
    while (!this.#workers.isClosing) {
      const due = await dueRows(store.read, clock(), limits.SMS_PARALLEL);
      let isTried = false;
      for (const one of due) {
        if (!this.#enter(one)) continue;
        isTried = true;
        const row = await this.#claim(one);
        if (row) return row;
      }
      if (!isTried) return undefined;
    }
    return undefined;
  }

  async #claim(one: DueRow): Promise<QueueRow | undefined> {
    const { store, clock, limits } = this.#deps;
    const now = clock();
    const claimedUntil = now + CLAIM_IN_ATTEMPTS * this.#gateways.count * limits.SMS_SEND_MS;
    let row: QueueRow | undefined;
    try {
      row = await store.write((tx) => claimRow(tx, one.id, now, claimedUntil));
      return row;
    } finally {
      if (!row) this.#leave(one);
    }
  }

  /**
   * Whether a worker may take this message. Notices get at most half of the workers (but one at least), so that codes
   * find one.
   */
  #enter({ purpose }: DueRow): boolean {
    if (purpose !== "notice") return true;
    if (this.#onNotices >= Math.max(1, Math.floor(this.#deps.limits.SMS_PARALLEL / 2))) return false;
    this.#onNotices += 1;
    return true;
  }

  #leave({ purpose }: DueRow): void {
    if (purpose === "notice") this.#onNotices -= 1;
  }

  async #forget({ id }: QueueRow): Promise<void> {
    await this.#deps.store.write(async (tx) => {
      await deleteRow(tx, id);
      await forgetMessage(tx, id);
    });
  }

  async #attempt(row: QueueRow): Promise<Attempt> {
    try {
      return await this.#gateways.send(openRow(this.#deps.keyring, row), this.#workers.signal);
    } catch {
      const reason = "the message cannot be decrypted";
      return { gateway: this.#gateways.name, delivery: { kind: "later", reason, alarm: true } };
    }
  }

  async #recordDelivery(row: QueueRow, attempt: Attempt): Promise<void> {
    const { store, clock, limits } = this.#deps;
    const { delivery } = attempt;
    this.#report(row, attempt);
    const now = clock();
    await store.write(async (tx) => {
      if (delivery.kind === "later")
        await postponeRow(tx, row, Math.min(now + waitAfter(row.tries, limits), row.ends_at));
      else await deleteRow(tx, row.id);
      await noteDelivery(tx, row, { ...attempt, now });
    });
  }

  async #dropEnded(): Promise<void> {
    const { store, clock, log, gateway } = this.#deps;
    const now = clock();
    const ended = await store.write(async (tx) => {
      const rows = await deleteEnded(tx, now);
      const ids = rows.map(({ id }) => id);
      await noteGivenUp(tx, ids, now);
      return rows;
    });
    for (const { id, purpose, request_id, tries } of ended.filter((row) => !isDecoy(row))) {
      const facts = { sms: id, requestId: request_id, purpose, tries, gateway: gateway.name };
      log.error({ event: "sms-given-up", ...facts }, "sms");
      deliveries.inc({ gateway: gateway.name, result: "given-up" });
    }
  }

  async #queue() {
    const { messages, oldest } = await queueLength(this.#deps.store.read);
    const waitedMs = oldest === undefined ? 0 : this.#deps.clock() - oldest;
    return { messages, oldestSeconds: Math.max(0, waitedMs / SECOND) };
  }

  /** Logs neither number nor text (S93). */
  #report({ id, purpose, request_id, tries }: QueueRow, { gateway, delivery }: Attempt): void {
    const { log } = this.#deps;
    const facts = { sms: id, requestId: request_id, purpose, tries, gateway };
    deliveries.inc({ gateway, result: RESULTS[delivery.kind] });
    if (delivery.kind === "accepted") log.info({ event: "sms-accepted", ...facts }, "sms");
    else if (delivery.kind === "refused")
      log.error({ event: "sms-refused", ...facts, reason: delivery.reason }, "sms");
    else if (delivery.alarm)
      log.error({ event: "sms-gateway-unusable", ...facts, reason: delivery.reason }, "sms");
    else log.warn({ event: "sms-postponed", ...facts, reason: delivery.reason }, "sms");
  }

  /** A gateway did not take the message, and the other one is asked. */
  #reportPassedOn(id: string, { gateway, delivery }: Attempt): void {
    if (delivery.kind === "accepted") return;
    const { log } = this.#deps;
    const facts = { sms: id, gateway, reason: delivery.reason };
    deliveries.inc({ gateway, result: RESULTS.later });
    if (delivery.kind === "later" && delivery.alarm)
      log.error({ event: "sms-gateway-unusable", ...facts }, "sms");
    else log.warn({ event: "sms-passed-on", ...facts }, "sms");
  }
}

/** The wait before the next attempt (ms): doubles each time, up to a limit. */
function waitAfter(tries: number, { SMS_RETRY_SECONDS, SMS_RETRY_MAX_SECONDS }: Limits): number {
  return Math.min(SMS_RETRY_SECONDS * 2 ** (tries - 1), SMS_RETRY_MAX_SECONDS) * SECOND;
}
