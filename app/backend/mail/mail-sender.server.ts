import type { Limits } from "~/platform/config/limits";
import type { Log } from "~/platform/telemetry/log.server";
import { counter, levels } from "~/platform/telemetry/metrics.server";
import { SECOND, type Clock } from "~/platform/time.server";
import { forgetMessage, noteDelivery, noteGivenUp } from "../message-states.server";
import { QueueWorkers } from "../queue-workers.server";
import type { Keyring } from "../secrets/keyring.server";
import { openColumn } from "../services/accounts/customers.server";
import type { MailTexts } from "../services/notices/notice-events.server";
import type { Delivery } from "../sms/gateway.server";
import type { Store, Tx } from "../store/store.server";
import {
  claimRow,
  deleteEnded,
  deleteRow,
  dueMails,
  mailQueueLength,
  type MailNotice,
  type MailQueue,
  type MailRow,
  postponeRow,
  putMail,
} from "./mail-queue.server";
import type { MailServer } from "./smtp.server";

/** What e-mails are sent with. */
export interface Mailing {
  readonly server: MailServer;
  readonly texts: MailTexts;
}

interface MailSenderDependencies extends Mailing {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly log: Log;
}

/** A claim lasts much longer than an attempt, so if it expires, the process must have been killed. */
const CLAIM_IN_ATTEMPTS = 3;

/** Results as the metric names them, as for text messages. */
const RESULTS = { accepted: "accepted", refused: "rejected", later: "retried" } as const;
const deliveries = counter(
  { name: "portal_mail_deliveries_total", help: "Attempts to hand an e-mail over, by result" },
  { result: ["accepted", "retried", "rejected", "given-up"] },
);
/** Describes the queue in the database, so every process reports the same. */
const queueLevels = levels({
  mails: { name: "portal_mail_queue_mails", help: "E-mails waiting for the mail server" },
  oldestSeconds: {
    name: "portal_mail_queue_oldest_seconds",
    help: "Seconds the oldest e-mail has waited; 0 if there is none",
  },
});

/**
 * Sends queued e-mails to the mail server, as `SmsSender` does with text messages: outside any transaction, from any
 * process, each claimed before an attempt and deleted once the server has accepted it. A process that is killed in
 * between leaves it to be sent again, with the same Message-ID.
 */
export class MailSender implements MailQueue {
  readonly #deps: MailSenderDependencies;
  readonly #workers: QueueWorkers;

  constructor(deps: MailSenderDependencies) {
    this.#deps = deps;
    const { MAIL_PARALLEL, MAIL_POLL_MS, MAIL_STOP_MS } = deps.limits;
    this.#workers = new QueueWorkers({
      parallel: MAIL_PARALLEL,
      pollMs: MAIL_POLL_MS,
      stopMs: MAIL_STOP_MS,
      dropEnded: () => this.#dropEnded(),
      claim: async () => {
        const row = await this.#claimNext();
        return row && (() => this.#deliver(row));
      },
      onError: (error) => {
        deps.log.error({ event: "mail-queue-failed", err: error }, "mail");
      },
    });
  }

  /** Checks the queue now and every `MAIL_POLL_MS`. */
  start(): void {
    queueLevels.feed(() => this.#queue());
    this.#workers.start();
  }

  async put(tx: Tx, notice: MailNotice): Promise<void> {
    await putMail(tx, notice);
    tx.afterCommit(() => {
      this.#workers.begin();
    });
  }

  /** Drops expired e-mails and sends those that are due. Never throws. */
  checkQueue(): Promise<void> {
    return this.#workers.check();
  }

  /** Resolves when nothing is being sent. */
  idle(): Promise<void> {
    return this.#workers.idle();
  }

  /** Starts nothing new. E-mails being sent have `MAIL_STOP_MS` to finish; the next process sends the rest. */
  close(): Promise<void> {
    return this.#workers.close();
  }

  async #claimNext(): Promise<MailRow | undefined> {
    const { store, clock, limits } = this.#deps;
    while (!this.#workers.isClosing) {
      const now = clock();
      const due = await dueMails(store.read, now, limits.MAIL_PARALLEL);
      if (due.length === 0) return undefined;
      const claimedUntil = now + CLAIM_IN_ATTEMPTS * limits.MAIL_SEND_MS;
      for (const id of due) {
        const row = await store.write((tx) => claimRow(tx, id, now, claimedUntil));
        if (row) return row;
      }
    }
    return undefined;
  }

  async #deliver(row: MailRow): Promise<void> {
    const { server, texts } = this.#deps;
    const found = await this.#addressOf(row);
    if (found === undefined) return this.#forget(row);
    if (typeof found !== "string") return this.#recordDelivery(row, found);
    const { id, event, sent_at } = row;
    const mail = { ...texts[event]({ at: sent_at }), id, to: found, sentAt: sent_at };
    await this.#recordDelivery(row, await server.send(mail, this.#workers.signal));
  }

  /** The customer's address now; undefined if there is none, and a delivery if it can't be decrypted. */
  async #addressOf({ customer_id }: MailRow): Promise<string | Delivery | undefined> {
    const { store, keyring } = this.#deps;
    if (customer_id === null) return undefined;
    const row = await store.read
      .selectFrom("customers")
      .select("email_sealed")
      .where("id", "=", customer_id)
      .executeTakeFirst();
    const sealed = row?.email_sealed ?? undefined;
    if (sealed === undefined) return undefined;
    try {
      return openColumn(keyring, customer_id, "email_sealed", sealed);
    } catch {
      return { kind: "later", reason: "the address cannot be decrypted", alarm: true };
    }
  }

  async #forget({ id }: MailRow): Promise<void> {
    await this.#deps.store.write(async (tx) => {
      await deleteRow(tx, id);
      await forgetMessage(tx, id);
    });
  }

  async #recordDelivery(row: MailRow, delivery: Delivery): Promise<void> {
    const { store, clock, limits } = this.#deps;
    this.#report(row, delivery);
    const now = clock();
    const noted = { id: row.id, purpose: "mail-notice", request_id: row.request_id } as const;
    await store.write(async (tx) => {
      if (delivery.kind === "later")
        await postponeRow(tx, row, Math.min(now + waitAfter(row.tries, limits), row.ends_at));
      else await deleteRow(tx, row.id);
      await noteDelivery(tx, noted, { delivery, gateway: "smtp", now });
    });
  }

  async #dropEnded(): Promise<void> {
    const { store, clock, log } = this.#deps;
    const now = clock();
    const ended = await store.write(async (tx) => {
      const rows = await deleteEnded(tx, now);
      const ids = rows.map(({ id }) => id);
      await noteGivenUp(tx, ids, now);
      return rows;
    });
    for (const { id, request_id, tries } of ended.filter(({ customer_id }) => customer_id !== null)) {
      log.error({ event: "mail-given-up", mail: id, requestId: request_id, tries }, "mail");
      deliveries.inc({ result: "given-up" });
    }
  }

  async #queue() {
    const { mails, oldest } = await mailQueueLength(this.#deps.store.read);
    const waitedMs = oldest === undefined ? 0 : this.#deps.clock() - oldest;
    return { mails, oldestSeconds: Math.max(0, waitedMs / SECOND) };
  }

  /** Logs neither address nor text (S93). */
  #report({ id, request_id, tries }: MailRow, delivery: Delivery): void {
    const { log } = this.#deps;
    const facts = { mail: id, requestId: request_id, tries };
    deliveries.inc({ result: RESULTS[delivery.kind] });
    if (delivery.kind === "accepted") log.info({ event: "mail-accepted", ...facts }, "mail");
    else if (delivery.kind === "refused")
      log.error({ event: "mail-refused", ...facts, reason: delivery.reason }, "mail");
    else if (delivery.alarm)
      log.error({ event: "mail-server-unusable", ...facts, reason: delivery.reason }, "mail");
    else log.warn({ event: "mail-postponed", ...facts, reason: delivery.reason }, "mail");
  }
}

/** The wait before the next attempt (ms): doubles each time, up to a limit. Greylisting takes some minutes. */
function waitAfter(tries: number, { MAIL_RETRY_SECONDS, MAIL_RETRY_MAX_SECONDS }: Limits): number {
  return Math.min(MAIL_RETRY_SECONDS * 2 ** (tries - 1), MAIL_RETRY_MAX_SECONDS) * SECOND;
}
