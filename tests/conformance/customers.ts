import { readFileSync } from "node:fs";
import { z } from "zod";
import { PRODUCTS } from "~/contract/customer-area.server";
import { sourcePremium } from "~/contract/premium.server";
import type { DemoCustomer, RegisteredCustomer, WithPolicies } from "../demo-customers";

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
/** Every test that registers a customer takes the next one. */
const LEAST_FRESH = 30;

const policies = z.array(
  z.strictObject({
    policyNo: text,
    name: text,
    validFrom: z.iso.date().optional(),
    validTo: z.iso.date().optional(),
    product: z.enum(PRODUCTS).optional(),
    premium: sourcePremium.partial().strict().nullable().optional(),
    insured: text.optional(),
    documents: z.array(text).optional(),
  }),
);
const all = policies.min(1, "expected all policies of this customer");
/** With one policy alone nothing can be mixed up. */
const several = policies.min(2, "expected all policies of this customer, at least two");

const customersFile = z
  .object({
    ANNA: registered.extend({ policies: several }),
    PIOTR: registered.extend({ policies: several }),
    MARIA: registered,
    TOMASZ: registered,
    EWA: registered,
    JAN: registered,
    KRYSTYNA: customer.extend({ policies: all }),
    OLENA: customer.extend({ policies: all }),
    COMPANY: customer.extend({ policies: all }),
    FRESH: z.array(customer).min(LEAST_FRESH, `expected ${LEAST_FRESH} customers who are not registered`),
  })
  .superRefine(({ FRESH, ...named }, context) => {
    const owners = new Map<string, string>();
    const everybody = [
      ...Object.entries(named),
      ...FRESH.map((each, nth) => [`FRESH[${nth}]`, each] as const),
    ];
    for (const [role, { policyNo, ...more }] of everybody) {
      const numbers = "policies" in more ? more.policies.map((policy) => policy.policyNo) : [policyNo];
      const refuse = (message: string) => {
        context.addIssue({ code: "custom", path: [role], message });
      };
      if (!numbers.includes(policyNo)) refuse(`${policyNo} is not among the policies`);
      for (const number of numbers) {
        const owner = owners.get(number);
        if (owner !== undefined) refuse(`${number} is listed already, for ${owner}`);
        owners.set(number, role);
      }
    }
  });

const file = readCustomers(process.env["CONFORMANCE_CUSTOMERS"] ?? "");

/** @throws Error that names each thing the file lacks, one a line */
function readCustomers(path: string): z.output<typeof customersFile> {
  const reading = customersFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (reading.success) return reading.data;
  const lines = reading.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`${path} can't be used (docs/conformance.md):\n${lines.join("\n")}`);
}

/** Active, without a document password; the others are described in docs/conformance.md. */
export const ANNA: RegisteredCustomer & WithPolicies = file.ANNA;
export const { PIOTR, MARIA, TOMASZ, EWA, JAN, KRYSTYNA, OLENA, COMPANY } = file;

const given = new Map<number, DemoCustomer>();

/** A customer without an account, used by one test only: each number takes the next one in the file. */
export function freshCustomer(number: number): DemoCustomer {
  const fresh = given.get(number) ?? file.FRESH[given.size];
  if (!fresh) throw new Error(`FRESH has ${file.FRESH.length} customers, and that is not enough`);
  given.set(number, fresh);
  return fresh;
}
