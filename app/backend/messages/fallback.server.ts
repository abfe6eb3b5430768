import { SECOND, type Clock } from "~/platform/time.server";
import type { Limits } from "~/platform/config/limits";
import type { GatewayName } from "../store/message-kinds.server";
import type { Attempt as AnyAttempt, Delivery } from "./delivery.server";
import type { OutgoingSms, SmsGateway } from "./gateway.server";

type Attempt = AnyAttempt<GatewayName>;

interface Pair {
  readonly first: SmsGateway;
  readonly fallback?: SmsGateway | undefined;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Called for each attempt whose message goes on to the other gateway. */
  readonly onPassedOn: (sms: OutgoingSms, attempt: Attempt) => void;
}

/**
 * Sends a message through the first gateway, or through the fallback if the first fails for a reason other than the number
 * (S152). After a failure the first gateway rests: meanwhile the fallback comes first. Then one message tries it again.
 */
export class GatewayPair {
  readonly #pair: Pair;
  /** The end of the first gateway's rest (ms). Each process finds out for itself. */
  #restsUntil = 0;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** Tries once, with both gateways if needed. After a timeout the message may arrive twice. Never throws. */
  async send(sms: OutgoingSms, signal: AbortSignal): Promise<Attempt> {
    const { first, fallback, onPassedOn } = this.#pair;
    if (!fallback) return askOne(first, sms, signal);
    const [one, other] = this.#isResting() ? [fallback, first] : [first, fallback];
    const before = await this.#ask(one, sms, signal);
    if (!mayPassOn(before.delivery) || signal.aborted) return before;
    onPassedOn(sms, before);
    return combined(before, await this.#ask(other, sms, signal));
  }

  /** When the rest is over, only the first message tries the gateway. */
  #isResting(): boolean {
    const now = this.#pair.clock();
    if (now < this.#restsUntil) return true;
    if (this.#restsUntil > 0) this.#rest();
    return false;
  }

  #rest(): void {
    this.#restsUntil = this.#pair.clock() + this.#pair.limits.SMS_FALLBACK_SECONDS * SECOND;
  }

  async #ask(gateway: SmsGateway, sms: OutgoingSms, signal: AbortSignal): Promise<Attempt> {
    const attempt = await askOne(gateway, sms, signal);
    if (gateway !== this.#pair.first || signal.aborted) return attempt;
    const { delivery } = attempt;
    if (delivery.kind === "later" && delivery.about === undefined) this.#rest();
    else this.#restsUntil = 0;
    return attempt;
  }
}

async function askOne(gateway: SmsGateway, sms: OutgoingSms, signal: AbortSignal): Promise<Attempt> {
  return { gateway: gateway.name, delivery: await gateway.send(sms, signal) };
}

function mayPassOn(delivery: Delivery): boolean {
  return delivery.kind !== "accepted" && delivery.about === undefined;
}

/** Reports the second attempt, unless it was refused while the first can be retried: then `later`. */
function combined(one: Attempt, other: Attempt): Attempt {
  const { gateway, delivery } = other;
  if (delivery.kind !== "refused" || delivery.about !== undefined || one.delivery.kind === "refused")
    return other;
  return { gateway, delivery: { kind: "later", reason: delivery.reason, alarm: false } };
}
