import type { CallResponse } from "~/contract/calls.server";
import type { RequestOptions } from "~/contract/factors.server";
import type { Browser } from "../../../contract/browser";
import type { RegisteredCustomer } from "../../../demo-customers";
import { bodyOf, proofBySms } from "../../../factor-steps";
import type { PasskeyDevice } from "../../../passkey-device";
import type { TestBackend } from "../test-backend";

const MINUTE = 60_000;
export const FACTORS = "/cp/api/factors";
export const INIT = "/home/api/auth/passkey/init";
export const CONFIRM = "/home/api/auth/passkey/confirm";
export const ORIGIN = "https://portal.example";
/** A portal with a name, where passkeys sign in. */
export const OFFERED = {
  offered: ["app", "passkey"],
  passkeysSignIn: true,
  origin: ORIGIN,
  issuer: "Tarnea",
  nameOf: { app: "Aplikacja", passkey: "Klucz dostępu" },
} as const;

/** Adds a device's passkey in an active session; a code by SMS proves it. A minute passes. */
export async function addPasskeyOf(
  way: TestBackend,
  {
    device,
    browser,
    customer,
  }: { readonly device: PasskeyDevice; readonly browser: Browser; readonly customer: RegisteredCustomer },
) {
  const proof = await proofBySms(way, browser, customer);
  const prepared = bodyOf(await browser.put(`${FACTORS}/passkey/prepare`, proof)) as unknown as {
    readonly id: string;
    readonly options: CallResponse<"passkeyPrepare">["options"];
  };
  const response = device.make(prepared.options);
  bodyOf(await browser.put(`${FACTORS}/passkey/confirm`, { id: prepared.id, response }));
  way.advance(MINUTE);
  return { device, id: prepared.id, options: prepared.options };
}

/** What any passkey is asked in this browser. */
export async function ask(browser: Browser): Promise<RequestOptions> {
  const { options } = bodyOf(await browser.post(INIT)) as unknown as { readonly options: RequestOptions };
  return options;
}

/** Signs in by passkey. */
export const confirm = (browser: Browser, response: unknown) =>
  browser.post(CONFIRM, { response, deviceName: "Firefox, Linux" });

/** The customer's factors, in an active session. */
export async function factorsOf(browser: Browser): Promise<CallResponse<"factors">> {
  return bodyOf(await browser.get(FACTORS)) as unknown as CallResponse<"factors">;
}
