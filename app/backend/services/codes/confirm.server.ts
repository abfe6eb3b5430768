import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { done, refused, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import type { Tx } from "../../store/store.server";
import { checkCode, isOpen, refusalOfClosed, type RightCode } from "./check-code.server";
import { lockCode } from "./code-rows.server";
import {
  consumeCode,
  findRepeatedUse,
  holdCode,
  payloadMac,
  refuseRightCode,
  takeBackHold,
  type Payload,
} from "./use-code.server";

/** The customer a confirm is about. */
export interface CodeHolder {
  /** The subject that the code is kept under. */
  readonly subject: string;
  readonly accountId?: string | undefined;
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
}

/** A code, and the change it allows if it is right. `Work` is computed between the check and the change. */
interface Confirm<Whose extends CodeHolder, Value, Work = undefined> {
  readonly purpose: Purpose;
  readonly code: string;
  readonly payload: Payload;
  /** Finds and locks the customer in this transaction, or says why the confirm is refused. */
  readonly whose: (tx: Tx) => Promise<Outcome<Whose>>;
  /** The change that a right code allows. It must refuse before it writes anything. */
  readonly effect: (tx: Tx, whose: Whose, code: RightCode, work: Work) => Promise<Outcome<Value>>;
  /** Repeats the first answer if the same payload comes again within seconds of its success. */
  readonly again: (tx: Tx, code: RightCode) => Promise<Value>;
}

/** Confirms in one transaction: the code is used up together with its effect, or neither happens. */
export async function confirmAtOnce<Whose extends CodeHolder, Value>(
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Whose, Value>,
): Promise<Outcome<Value>> {
  return deps.store.write(async (tx) => {
    const checked = await check(tx, deps, caller, confirm);
    if (checked.kind === "again") return done(checked.value);
    if (checked.kind !== "right") return checked;
    const { whose, code } = checked;
    return finishCode(tx, deps, confirm, code, await confirm.effect(tx, whose, code, undefined));
  });
}

/**
 * Confirms with work too long for a transaction (hashing) between the check and the effect. The code is held during the
 * work, then checked again and used up in the transaction of the effect.
 */
export async function confirmWithWork<Whose extends CodeHolder, Value, Work>(
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Whose, Value, Work>,
  work: (whose: Whose) => Promise<Outcome<Work>>,
): Promise<Outcome<Value>> {
  const mac = payloadMac(deps, deps.keyring.current, confirm.purpose, confirm.payload);
  return deps.inFlightConfirms.join(`${caller.browser}|${mac}`, async () => {
    const checked = await deps.store.write(async (tx) => {
      const first = await check(tx, deps, caller, confirm);
      return first.kind !== "right" || (await holdCode(tx, deps, first.code)) ? first : refused("016");
    });
    if (checked.kind === "again") return done(checked.value);
    if (checked.kind !== "right") return checked;
    const { whose, code } = checked;
    const worked = await work(whose);
    return deps.store.write((tx) => finish(tx, deps, caller, confirm, code, worked));
  });
}

type Checked<Whose, Value> =
  | { readonly kind: "right"; readonly whose: Whose; readonly code: RightCode }
  | { readonly kind: "again"; readonly value: Value }
  | Refusal;

async function check<Whose extends CodeHolder, Value, Work>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Whose, Value, Work>,
): Promise<Checked<Whose, Value>> {
  const whose = await confirm.whose(tx);
  const code =
    whose.kind === "done" ? await lockCode(tx, ownerOf(caller, confirm.purpose, whose.value)) : undefined;
  if (whose.kind === "done" && isOpen(code, deps.clock())) {
    const owner = ownerOf(caller, confirm.purpose, whose.value);
    const right = await checkCode(tx, deps, caller, owner, confirm.code);
    return right.kind === "done" ? { kind: "right", whose: whose.value, code: right.value } : right;
  }
  // The first of a doubled submit has used the code, so it isn't open. It may have held the locks until now.
  const repeated = await findRepeatedUse(tx, deps, caller, confirm.purpose, confirm.payload);
  if (repeated) return { kind: "again", value: await confirm.again(tx, repeated) };
  return whose.kind === "done" ? refusalOfClosed(code) : whose;
}

async function finish<Whose extends CodeHolder, Value, Work>(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  confirm: Confirm<Whose, Value, Work>,
  code: RightCode,
  worked: Outcome<Work>,
): Promise<Outcome<Value>> {
  const whose = await confirm.whose(tx);
  if (whose.kind !== "done") return whose;
  if (!(await takeBackHold(tx, deps, code))) {
    const repeated = await findRepeatedUse(tx, deps, caller, confirm.purpose, confirm.payload);
    if (repeated) return done(await confirm.again(tx, repeated));
    const owner = ownerOf(caller, confirm.purpose, whose.value);
    return refusalOfClosed(await lockCode(tx, owner));
  }
  const ended = worked.kind === "done" ? await confirm.effect(tx, whose.value, code, worked.value) : worked;
  return finishCode(tx, deps, confirm, code, ended);
}

async function finishCode<Value>(
  tx: Tx,
  deps: Dependencies,
  { payload }: { readonly payload: Payload },
  code: RightCode,
  ended: Outcome<Value>,
): Promise<Outcome<Value>> {
  switch (ended.kind) {
    case "done":
      await consumeCode(tx, deps, code, payload);
      return ended;
    case "refused":
    case "invalid":
      return refuseRightCode(tx, deps, code, ended);
    default:
      return ended;
  }
}

function ownerOf({ browser }: Caller, purpose: Purpose, holder: CodeHolder) {
  const { subject, accountId, isKnownBrowser } = holder;
  return { subject, accountId, purpose, browser, isKnownBrowser };
}
