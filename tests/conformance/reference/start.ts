import { referenceBackend } from "./server";
import { addCustomer, type Customer, DAY, hashOf } from "./store";

/** A customer in the file of docs/conformance.md, which says what the roles are. */
type Listed = Pick<Customer, "name" | "phone" | "pid" | "username"> & {
  readonly policyNo: string;
  readonly policies?: readonly { readonly policyNo: string; readonly name: string }[];
  readonly password?: string;
};

const BARRED: Readonly<Record<string, Customer["barred"]>> = { MARIA: "106", TOMASZ: "105", EWA: "108" };
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

/** Starts the backend on loopback. @param customers those of the file, by role */
export async function startReference(
  customers: Record<string, Listed | Listed[]>,
  port: number,
): Promise<void> {
  for (const [role, some] of Object.entries(customers))
    for (const { password, policyNo, policies = [{ policyNo, name: "Polisa" }], ...customer } of [
      some,
    ].flat())
      addCustomer({
        ...customer,
        policies: policies.map((policy) => ({ validFrom: day(-90), validTo: day(275), ...policy })),
        passwords: password === undefined ? [] : [await hashOf(password)],
        barred: BARRED[role],
        documentPassword: role === "PIOTR" ? await hashOf("Dokument-2026!") : undefined,
        usernameChanges: role === "JAN" ? [Date.now(), Date.now(), Date.now()] : [],
        trustedDevices: [],
        knownBrowsers: new Map(),
      });
  const server = referenceBackend().listen(port, "127.0.0.1", () => {
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}`;
    console.log(`The reference backend is at ${origin}, its messages at ${origin}/sms.json`);
  });
}
