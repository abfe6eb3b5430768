import { readFileSync } from "node:fs";
import { z } from "zod";
import type { DemoCustomer, RegisteredCustomer } from "../demo-customers";

/**
 * The customers of the server under test, from the file that `CONFORMANCE_CUSTOMERS` names, instead of
 * `tests/demo-customers.ts`: the same names have the same roles.
 */
const text = z.string().min(1);
const customer = z.object({
  name: text,
  policyNo: text,
  pid: text,
  phone: z.string().regex(/^\+\d{8,15}$/, "expected a number such as +48500100001"),
});
const registered = customer.extend({ username: text, password: text });

const customersFile = z.object({
  ANNA: registered,
  PIOTR: registered,
  MARIA: registered,
  TOMASZ: registered,
  EWA: registered,
  JAN: registered,
  KRYSTYNA: customer,
  OLENA: customer,
  COMPANY: customer,
  FRESH: z.array(customer),
});

const file = customersFile.parse(
  JSON.parse(readFileSync(process.env["CONFORMANCE_CUSTOMERS"] ?? "", "utf8")),
);

/** Active, without a document password; the others are described in docs/conformance.md. */
export const ANNA: RegisteredCustomer = file.ANNA;
export const { PIOTR, MARIA, TOMASZ, EWA, JAN, KRYSTYNA, OLENA, COMPANY } = file;

const given = new Map<number, DemoCustomer>();

/** A customer without an account, used by one test only: each number takes the next one in the file. */
export function freshCustomer(number: number): DemoCustomer {
  const fresh = given.get(number) ?? file.FRESH[given.size];
  if (!fresh) throw new Error(`FRESH has ${file.FRESH.length} customers, and that is not enough`);
  given.set(number, fresh);
  return fresh;
}
