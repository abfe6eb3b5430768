import { detailOf } from "~/contract/customer-area.server";
import type { Limits } from "~/platform/config/limits";
import { counter, levels } from "~/platform/telemetry/metrics.server";
import { MINUTE, SECOND } from "~/platform/time.server";
import { type Attempt, DELIVERY_RESULTS, QueueSender, type SenderDependencies } from "../queue-sender.server";
import type { Keyring } from "../secrets/keyring.server";
import { openColumn } from "../services/accounts/customers.server";
import type { MailTexts, NoticeEvent, NoticeFacts } from "../services/notices/notice-events.server";
import type { Delivery } from "../sms/gateway.server";
import type { Tx } from "../store/store.server";
import {
  dueMails,
  mailQueueLength,
  type MailNotice,
  type MailQueue,
  type MailRow,
  mailRows,
  putMail,
} from "./mail-queue.server";
import type { MailServer } from "./smtp.server";

/** The server that e-mails go to, and their texts. */
export interface Mailing {
  readonly server: MailServer;
  readonly texts: MailTexts;
}

interface MailSenderDependencies extends SenderDependencies, Mailing {
  readonly keyring: Keyring;
  readonly limits: Limits;
}

const deliveries = counter(
  { name: "portal_mail_deliveries_total", help: "Attempts to hand an e-mail over, by result" },
  { result: DELIVERY_RESULTS },
);
/** Describes the queue in the database, so every process reports the same. */
const queueLevels = levels({
  mails: { name: "portal_mail_queue_mails", help: "E-mails waiting for the mail server" },
  oldestSeconds: {
    name: "portal_mail_queue_oldest_seconds",
    help: "Seconds the oldest e-mail has waited; 0 if there is none",
  },
});

/** Events whose e-mail says which device it was, or what was added or switched. */
const TOLD_IN_DETAIL: readonly NoticeEvent[] = ["device-trusted", "factor-added", "sms-at-sign-in"];

/** Sends queued e-mails to the mail server. An e-mail that is sent again has the same Message-ID. */
export class MailSender extends QueueSender<MailRow, "smtp"> implements MailQueue {
  readonly #deps: MailSenderDependencies;
  protected readonly firstGateway = "smtp";

  constructor(deps: MailSenderDependencies) {
    const { limits } = deps;
    super(deps, {
      name: "mail",
      events: {
        accepted: "mail-accepted",
        refused: "mail-refused",
        postponed: "mail-postponed",
        unusable: "mail-server-unusable",
        givenUp: "mail-given-up",
        failed: "mail-queue-failed",
      },
      // Greylisting takes some minutes.
      limits: {
        parallel: limits.MAIL_PARALLEL,
        pollMs: limits.MAIL_POLL_MS,
        stopMs: limits.MAIL_STOP_MS,
        attemptMs: limits.MAIL_SEND_MS,
        retrySeconds: limits.MAIL_RETRY_SECONDS,
        retryMaxSeconds: limits.MAIL_RETRY_MAX_SECONDS,
      },
      rows: mailRows,
    });
    this.#deps = deps;
  }

  override start(): void {
    queueLevels.feed(() => this.#queue());
    super.start();
  }

  async put(tx: Tx, notice: MailNotice): Promise<void> {
    await putMail(tx, notice);
    tx.afterCommit(() => {
      this.begin();
    });
  }

  protected due(now: number, most: number) {
    return dueMails(this.#deps.store.read, now, most);
  }

  protected isDecoy({ customer_id }: MailRow): boolean {
    return customer_id === null;
  }

  protected async attempt(row: MailRow, signal: AbortSignal): Promise<Attempt<"smtp"> | undefined> {
    const { server, texts } = this.#deps;
    const to = await this.#addressOf(row);
    if (to === undefined) return undefined;
    if (typeof to !== "string") return { gateway: "smtp", delivery: to };
    const { id, event, sent_at } = row;
    const facts = { at: sent_at, ...(await this.#factsOf(row)) };
    const mail = { ...texts[event](facts), id, to, sentAt: sent_at };
    return { gateway: "smtp", delivery: await server.send(mail, signal) };
  }

  /** The customer's present address; undefined if there is none, and a delivery if it can't be decrypted. */
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

  /** The audit's details of the event, for those that a customer can't judge without them. */
  async #factsOf({ customer_id, event, request_id, sent_at }: MailRow): Promise<Omit<NoticeFacts, "at">> {
    if (!TOLD_IN_DETAIL.includes(event)) return {};
    const row = await this.#deps.store.read
      .selectFrom("audit_events")
      .innerJoin("accounts", "accounts.id", "audit_events.account_id")
      .select(["audit_events.device_name", "audit_events.reason"])
      .where("accounts.customer_id", "=", customer_id)
      .where("audit_events.event", "=", event)
      .where("audit_events.request_id", "=", request_id)
      // Written in one transaction, with two looks at the clock.
      .where("audit_events.happened_at", ">=", sent_at - MINUTE)
      .where("audit_events.happened_at", "<=", sent_at + MINUTE)
      .orderBy("audit_events.happened_at", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!row) return {};
    return event === "device-trusted"
      ? { deviceName: row.device_name }
      : { detail: detailOf(event, row.reason) };
  }

  protected purposeOf() {
    return "mail-notice" as const;
  }

  protected count(_gateway: "smtp", result: (typeof DELIVERY_RESULTS)[number]): void {
    deliveries.inc({ result });
  }

  protected facts({ id, request_id, tries }: MailRow) {
    return { mail: id, requestId: request_id, tries };
  }

  async #queue() {
    const { mails, oldest } = await mailQueueLength(this.#deps.store.read);
    const waitedMs = oldest === undefined ? 0 : this.#deps.clock() - oldest;
    return { mails, oldestSeconds: Math.max(0, waitedMs / SECOND) };
  }
}
