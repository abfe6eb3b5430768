import type { Limits } from "~/platform/config/limits";
import { counter, levels } from "~/platform/telemetry/metrics.server";
import { SECOND } from "~/platform/time.server";
import { type Attempt, DELIVERY_RESULTS, QueueSender, type SenderDependencies } from "../queue-sender.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";
import { GatewayPair } from "./fallback.server";
import { type GatewayName, GATEWAYS, type SmsGateway } from "./gateway.server";
import {
  type DueRow,
  dueRows,
  isDecoy,
  openRow,
  putRow,
  queueLength,
  type QueueRow,
  type SmsMessage,
  type SmsQueue,
  smsRows,
} from "./sms-queue.server";

interface SmsSenderDependencies extends SenderDependencies {
  readonly keyring: Keyring;
  readonly limits: Limits;
  readonly gateway: SmsGateway;
  /** The second gateway, if there is one. */
  readonly fallback?: SmsGateway | undefined;
}

/** `retried` also counts an attempt whose message went on to the fallback. */
const deliveries = counter(
  { name: "portal_sms_deliveries_total", help: "Attempts to hand a message over, by gateway and result" },
  { gateway: GATEWAYS, result: DELIVERY_RESULTS },
);
/** Describes the queue in the database, so every process reports the same. */
const queueLevels = levels({
  messages: { name: "portal_sms_queue_messages", help: "Messages waiting for the gateway" },
  oldestSeconds: {
    name: "portal_sms_queue_oldest_seconds",
    help: "Seconds the oldest code has waited; 0 if there is none. Notices don't count",
  },
});

/** Sends queued text messages to the gateway, or to the fallback. */
export class SmsSender extends QueueSender<QueueRow, GatewayName, DueRow> implements SmsQueue {
  readonly #deps: SmsSenderDependencies;
  readonly #gateways: GatewayPair;
  protected readonly firstGateway: GatewayName;
  /** How many workers are busy with notices. */
  #onNotices = 0;

  constructor(deps: SmsSenderDependencies) {
    const { limits } = deps;
    super(deps, {
      name: "sms",
      events: {
        accepted: "sms-accepted",
        refused: "sms-refused",
        postponed: "sms-postponed",
        unusable: "sms-gateway-unusable",
        givenUp: "sms-given-up",
        failed: "sms-queue-failed",
      },
      limits: {
        parallel: limits.SMS_PARALLEL,
        pollMs: limits.SMS_POLL_MS,
        stopMs: limits.SMS_STOP_MS,
        // One gateway after the other.
        attemptMs: (deps.fallback ? 2 : 1) * limits.SMS_SEND_MS,
        retrySeconds: limits.SMS_RETRY_SECONDS,
        retryMaxSeconds: limits.SMS_RETRY_MAX_SECONDS,
      },
      rows: smsRows,
    });
    this.#deps = deps;
    this.firstGateway = deps.gateway.name;
    this.#gateways = new GatewayPair({
      ...deps,
      first: deps.gateway,
      onPassedOn: ({ id }, attempt) => {
        this.#reportPassedOn(id, attempt);
      },
    });
  }

  override start(): void {
    queueLevels.feed(() => this.#queue());
    super.start();
  }

  async put(tx: Tx, message: SmsMessage): Promise<void> {
    await putRow(tx, this.#deps.keyring, message);
    tx.afterCommit(() => {
      this.begin();
    });
  }

  protected due(now: number, most: number) {
    return dueRows(this.#deps.store.read, now, most);
  }

  /** Notices get at most half of the workers (but at least one), so that codes find a free one. */
  protected override mayTake({ purpose }: DueRow): boolean {
    if (purpose !== "notice") return true;
    if (this.#onNotices >= Math.max(1, Math.floor(this.#deps.limits.SMS_PARALLEL / 2))) return false;
    this.#onNotices += 1;
    return true;
  }

  protected override leave({ purpose }: DueRow): void {
    if (purpose === "notice") this.#onNotices -= 1;
  }

  protected isDecoy(row: QueueRow): boolean {
    return isDecoy(row);
  }

  protected async attempt(row: QueueRow, signal: AbortSignal): Promise<Attempt<GatewayName>> {
    try {
      return await this.#gateways.send(openRow(this.#deps.keyring, row), signal);
    } catch {
      const reason = "the message cannot be decrypted";
      return { gateway: this.firstGateway, delivery: { kind: "later", reason, alarm: true } };
    }
  }

  protected purposeOf({ purpose }: QueueRow) {
    return purpose;
  }

  protected count(gateway: GatewayName, result: (typeof DELIVERY_RESULTS)[number]): void {
    deliveries.inc({ gateway, result });
  }

  protected facts({ id, purpose, request_id, tries }: QueueRow, gateway: GatewayName) {
    return { sms: id, requestId: request_id, purpose, tries, gateway };
  }

  async #queue() {
    const { messages, oldest } = await queueLength(this.#deps.store.read);
    const waitedMs = oldest === undefined ? 0 : this.#deps.clock() - oldest;
    return { messages, oldestSeconds: Math.max(0, waitedMs / SECOND) };
  }

  /** Reports that a gateway did not take a message, so that the other one is asked. */
  #reportPassedOn(id: string, { gateway, delivery }: Attempt<GatewayName>): void {
    if (delivery.kind === "accepted") return;
    const { log } = this.#deps;
    const facts = { sms: id, gateway, reason: delivery.reason };
    deliveries.inc({ gateway, result: "retried" });
    if (delivery.kind === "later" && delivery.alarm)
      log.error({ event: "sms-gateway-unusable", ...facts }, "sms");
    else log.warn({ event: "sms-passed-on", ...facts }, "sms");
  }
}
