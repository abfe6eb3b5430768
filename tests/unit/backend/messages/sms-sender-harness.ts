import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKeyring, type Keyring } from "~/backend/secrets/keyring.server";
import { queueLength } from "~/backend/messages/message-rows.server";
import type { MessageSender } from "~/backend/messages/sender.server";
import { putSms, type SmsMessage, smsSender } from "~/backend/messages/sms-channel.server";
import type { Delivery } from "~/backend/messages/delivery.server";
import type { OutgoingSms, SmsGateway } from "~/backend/messages/gateway.server";
import type { GatewayName } from "~/backend/store/message-kinds.server";
import { openPostgresStore } from "~/backend/store/postgres-store.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import type { Store } from "~/backend/store/store.server";
import { defaultLimits, type Limits } from "~/platform/config/limits";
import { makeLog } from "~/platform/telemetry/log.server";
import { makeDatabase, settingsOf, type DatabaseKind, type TestDatabase } from "../../../database";
import { NOON } from "../test-backend";

const MINUTE = 60_000;

/** A gateway's results: the message was accepted; the gateway can't be reached. */
export const ACCEPTED: Delivery = { kind: "accepted" };
export const DOWN: Delivery = { kind: "later", reason: "unreachable", alarm: false };

/** A gateway for tests: `does` decides what happens to a message, `offered` records them all. */
export class TestGateway implements SmsGateway {
  readonly offered: OutgoingSms[] = [];
  does: (sms: OutgoingSms, signal: AbortSignal) => Promise<Delivery> = () => Promise.resolve(ACCEPTED);

  readonly name: GatewayName;

  constructor(name: GatewayName = "webhook") {
    this.name = name;
  }

  send(sms: OutgoingSms, signal: AbortSignal): Promise<Delivery> {
    this.offered.push(sms);
    return this.does(sms, signal);
  }
}

/** A queue with its senders, and a clock that moves only when the test moves it. */
export class SmsSenderHarness {
  readonly gateway = new TestGateway();
  readonly logged: string[] = [];
  now = NOON;
  readonly #folder = mkdtempSync(join(tmpdir(), "portal-sms-"));
  readonly keyring = makeKeyring([{ version: 1, key: randomBytes(32) }]);
  readonly #database: TestDatabase | undefined;
  readonly #stores: Store[] = [];
  readonly #senders: MessageSender<SmsMessage>[] = [];

  /** The test's own connection. */
  get store(): Store {
    const [store] = this.#stores;
    if (!store) throw new Error("the harness is not open");
    return store;
  }

  private constructor(database: TestDatabase | undefined) {
    this.#database = database;
  }

  static async open(kind: DatabaseKind = "sqlite"): Promise<SmsSenderHarness> {
    const harness = new SmsSenderHarness(kind === "postgres" ? await makeDatabase() : undefined);
    await harness.connect();
    return harness;
  }

  /** Another connection to the database, as another process would have. */
  async connect(): Promise<Store> {
    const store = this.#database
      ? await openPostgresStore(settingsOf(this.#database.url), () => undefined)
      : await openSqliteStore(join(this.#folder, "portal.db"));
    this.#stores.push(store);
    return store;
  }

  /** A sender that doesn't check the queue by itself. */
  smsSender(
    own: {
      readonly gateway?: SmsGateway;
      readonly fallback?: SmsGateway;
      readonly store?: Store;
      readonly keyring?: Keyring;
      readonly limits?: Partial<Limits>;
    } = {},
  ): MessageSender<SmsMessage> {
    const sender = smsSender({
      gateway: this.gateway,
      store: this.store,
      keyring: this.keyring,
      ...own,
      clock: () => this.now,
      limits: { ...defaultLimits("production"), SMS_STOP_MS: 1, ...own.limits },
      log: makeLog("debug", { write: (line: string) => this.logged.push(line) }),
    });
    this.#senders.push(sender);
    return sender;
  }

  /** A message whose code expires in ten minutes. */
  message(text: string): SmsMessage {
    const [sentAt, endsAt] = [this.now, this.now + 10 * MINUTE];
    const facts = { customerId: "anna", purpose: "login", requestId: "req-1" } as const;
    return { ...facts, to: "+48500100001", text, sentAt, endsAt };
  }

  /** A notice, which is offered for a day. */
  notice(text: string): SmsMessage {
    return { ...this.message(text), purpose: "notice", endsAt: this.now + 24 * 60 * MINUTE };
  }

  /** Queues messages without waking a sender, as another process would. */
  async leave(...texts: string[]): Promise<void> {
    await this.#put(texts.map((text) => this.message(text)));
  }

  /** The same with a decoy. */
  async leaveDecoy(text: string): Promise<void> {
    await this.#put([{ ...this.message(text), to: undefined, customerId: undefined }]);
  }

  /** The same with notices. */
  async leaveNotices(...texts: string[]): Promise<void> {
    await this.#put(texts.map((text) => this.notice(text)));
  }

  async #put(messages: readonly SmsMessage[]): Promise<void> {
    await this.store.write(async (tx) => {
      for (const message of messages) await putSms(tx, this.keyring, message);
    });
  }

  /** How many messages are queued. */
  async waiting(): Promise<number> {
    return (await queueLength(this.store.read, "sms")).waiting;
  }

  /** Lets a sender deliver everything that is due. */
  async round(sender: Pick<MessageSender<never>, "checkQueue" | "idle">): Promise<void> {
    await sender.checkQueue();
    await sender.idle();
  }

  async close(): Promise<void> {
    for (const sender of this.#senders) await sender.close();
    for (const store of this.#stores) await store.close();
    await this.#database?.drop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits, one event loop turn at a time, until the condition holds. */
export async function turnsUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resume) => setImmediate(resume));
}
