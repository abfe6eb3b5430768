import type { Log } from "~/platform/telemetry/log.server";
import { type Clock, SECOND } from "~/platform/time.server";
import type { Store, Tx } from "../store/store.server";
import type { Channel, MessageQueue, SenderLimits } from "./channel.server";
import type { Attempt } from "./delivery.server";
import {
  claimMessage,
  type Due,
  dueMessages,
  endMessage,
  forgetMessage,
  giveUpMessages,
  isDecoy,
  type Line,
  lineOf,
  postponeMessage,
  queueLength,
  type Waiting,
} from "./message-rows.server";

/** The parts of the backend that a sender uses. */
export interface SenderDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

const RESULTS = { accepted: "accepted", refused: "rejected", later: "retried" } as const;

/** A claim lasts much longer than an attempt, so if it expires, the process must have been killed. */
const CLAIM_IN_ATTEMPTS = 3;

/**
 * Sends the messages of a channel, outside any transaction. Every process has a sender. It claims a message before each
 * attempt and empties it once the gateway has accepted it, so no message is lost. If the process is killed in between,
 * the message is offered again under the same id.
 */
export class MessageSender<Message> implements MessageQueue<Message> {
  readonly #deps: SenderDependencies;
  readonly #channel: Channel<Message>;
  readonly #busy = new Set<Promise<void>>();
  /** The lines of the messages that are being claimed or sent. */
  readonly #inLines: Line[] = [];
  readonly #stop = new AbortController();
  #checking = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(deps: SenderDependencies, channel: Channel<Message>) {
    this.#deps = deps;
    this.#channel = channel;
  }

  async put(tx: Tx, message: Message): Promise<void> {
    await this.#channel.put(tx, message);
    tx.afterCommit(() => {
      this.#begin();
    });
  }

  /** Checks the queue now and every `pollMs`, for messages that are due again or that another process left. */
  start(): void {
    // The database's figures, so every process reports the same.
    this.#channel.levels.feed(() => this.#queue());
    const look = () => {
      this.#checking = this.checkQueue();
    };
    this.#timer = setInterval(look, this.#channel.limits.pollMs);
    this.#timer.unref();
    look();
  }

  /** Drops expired messages and sends due messages. Never throws. */
  async checkQueue(): Promise<void> {
    if (this.#isClosing) return;
    try {
      await this.#giveUp();
      this.#begin();
    } catch (error) {
      this.#reportFailure(error);
    }
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
    }, this.#channel.limits.stopMs);
    await this.#checking;
    await this.idle();
    clearTimeout(deadline);
  }

  /** Starts one more worker, up to `parallel`. */
  #begin(): void {
    if (this.#isClosing || this.#busy.size >= this.#channel.limits.parallel) return;
    const worker = this.#work()
      .catch((error: unknown) => {
        this.#reportFailure(error);
      })
      .finally(() => this.#busy.delete(worker));
    this.#busy.add(worker);
  }

  async #work(): Promise<void> {
    for (;;) {
      const message = await this.#claimNext();
      if (!message) return;
      // There may be more, and a slow attempt must not hold them up.
      this.#begin();
      try {
        await this.#deliver(message);
      } finally {
        this.#leave(message);
      }
    }
  }

  async #claimNext(): Promise<Waiting | undefined> {
    while (!this.#isClosing) {
      const open = this.#channel.lines.map(({ line }) => line).filter((line) => this.#hasRoom(line));
      const due = await dueMessages(
        this.#deps.store.read,
        open,
        this.#deps.clock(),
        this.#channel.limits.parallel,
      );
      let isTried = false;
      for (const one of due) {
        if (!this.#hasRoom(lineOf(one))) continue;
        isTried = true;
        const message = await this.#claim(one);
        if (message) return message;
      }
      if (!isTried) return undefined;
    }
    return undefined;
  }

  #hasRoom(line: Line): boolean {
    const most = this.#channel.lines.find((one) => one.line === line)?.most ?? 0;
    return this.#inLines.filter((one) => one === line).length < most;
  }

  #leave(message: Due): void {
    this.#inLines.splice(this.#inLines.indexOf(lineOf(message)), 1);
  }

  async #claim(one: Due): Promise<Waiting | undefined> {
    const now = this.#deps.clock();
    const claimedUntil = now + CLAIM_IN_ATTEMPTS * this.#channel.limits.attemptMs;
    this.#inLines.push(lineOf(one));
    let claimed: Waiting | undefined;
    try {
      claimed = await this.#deps.store.write((tx) => claimMessage(tx, one.id, now, claimedUntil));
      return claimed;
    } finally {
      if (!claimed) this.#leave(one);
    }
  }

  async #deliver(message: Waiting): Promise<void> {
    const attempt = isDecoy(message) ? undefined : await this.#channel.send(message, this.#stop.signal);
    if (attempt) await this.#recordAttempt(message, attempt);
    else await this.#deps.store.write((tx) => forgetMessage(tx, message.id));
  }

  async #recordAttempt(message: Waiting, attempt: Attempt): Promise<void> {
    this.#report(message, attempt);
    const { gateway, delivery } = attempt;
    const now = this.#deps.clock();
    const dueAt = Math.min(now + waitAfter(message.tries, this.#channel.limits), message.ends_at);
    await this.#deps.store.write((tx) =>
      delivery.kind === "later"
        ? postponeMessage(tx, message, { gateway, reason: delivery.reason, dueAt })
        : endMessage(tx, message, attempt, now),
    );
  }

  async #giveUp(): Promise<void> {
    const { name, gateway, events } = this.#channel;
    const given = await this.#deps.store.write((tx) => giveUpMessages(tx, name, this.#deps.clock()));
    for (const message of given) {
      this.#deps.log.error({ event: events.givenUp, ...this.#channel.facts(message, gateway) }, name);
      this.#channel.count(gateway, "given-up");
    }
  }

  #report(message: Waiting, { gateway, delivery }: Attempt): void {
    const { events, name } = this.#channel;
    const { log } = this.#deps;
    const facts = this.#channel.facts(message, gateway);
    this.#channel.count(gateway, RESULTS[delivery.kind]);
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
    this.#deps.log.error({ event: this.#channel.events.failed, err: error }, this.#channel.name);
  }

  async #queue() {
    const { waiting, oldest } = await queueLength(this.#deps.store.read, this.#channel.name);
    const waitedMs = oldest === undefined ? 0 : this.#deps.clock() - oldest;
    return { waiting, oldestSeconds: Math.max(0, waitedMs / SECOND) };
  }
}

/** The backoff before the next attempt (ms): doubles each time, up to a limit. */
function waitAfter(tries: number, { retrySeconds, retryMaxSeconds }: SenderLimits): number {
  return Math.min(retrySeconds * 2 ** (tries - 1), retryMaxSeconds) * SECOND;
}
