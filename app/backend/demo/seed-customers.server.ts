import { randomUUID } from "node:crypto";
import { readPassword, usernameKey } from "~/contract/rules";
import { DAY, isoDayInPoland } from "~/platform/time.server";
import type { Product } from "~/contract/customer-area.server";
import type { Currency, Premium, SourcePremium } from "~/contract/premium.server";
import type { AccountState, CustomerKind } from "../store/column-values.server";
import type { Sheet } from "../documents/draw-sheet";
import type { PdfWork } from "../documents/pdf-work.server";
import type { Dependencies } from "../dependencies.server";
import { BUSY, type PasswordHash, type Passwords } from "../secrets/passwords.server";
import { sealDocumentPassword } from "../secrets/data-key.server";
import { type HeldPolicy, newCustomer, putCustomers, putPolicies } from "../customers/write-customer.server";
import { type KeptDocument, putDocument } from "../documents/write-documents.server";
import { DEMO_CUSTOMERS_FACT } from "../store/key-check.server";
import type { Tx } from "../store/store.server";

/** A customer of the demo. All people and companies are invented. */
export interface DemoCustomer {
  readonly kind: CustomerKind;
  readonly name: string;
  readonly representative?: string;
  readonly pid: string;
  readonly phone: string;
  readonly email?: string;
  /** The policies, by policy number. The documentation names each customer's first policy. */
  readonly policies: Readonly<Record<string, DemoPolicy>>;
  readonly account?: DemoAccount;
}

/** A policy of the demo, for one year. */
interface DemoPolicy {
  /** The subject of the insurance. */
  readonly name: string;
  readonly product: Product;
  /** Default: the policy began a while ago and runs for more than another 30 days. */
  readonly state?: "upcoming" | "ending" | "ended";
  /** Default: the insurer gives no premium. */
  readonly premium?: DemoPremium;
}

/** A premium of the demo. */
interface DemoPremium extends Pick<SourcePremium, "amount"> {
  /** Days from today to the next instalment; negative if it is overdue. Default: the policy is paid to its end. */
  readonly dueIn?: number;
  /** Default: PLN. */
  readonly currency?: Currency;
  /** `null`: the premium has no account number. Default: an invented number, at a bank that doesn't exist. */
  readonly account?: null;
  readonly title?: string;
}

interface DemoAccount {
  readonly username: string;
  readonly state: AccountState;
  readonly documentPassword?: string;
  /** Username changes during the last month. */
  readonly usernameChanges?: number;
}

/** A policy that may have documents; days as `YYYY-MM-DD`. */
export interface DocumentedPolicy {
  readonly policyNo: string;
  readonly name: string;
  readonly product: Product;
  readonly validFrom: string;
  readonly validTo: string;
  readonly insured: string;
}

/** A document of the demo as text, not made into a PDF yet. */
export interface DemoDocument extends Omit<KeptDocument, "content"> {
  readonly sheet: Sheet;
}

/** The demo's invented data. */
export interface DemoData {
  readonly customers: readonly DemoCustomer[];
  /** The password of every account. */
  readonly password: string;
  readonly documentsOf: (policies: readonly DocumentedPolicy[]) => readonly DemoDocument[];
}

/** The time limit for a document at the start of a demo: long, because no customer waits and the machine may be busy. */
const SHEET_MS = 60_000;

const YEAR_DAYS = 365;

type SeedingDependencies = Pick<Dependencies, "store" | "keyring" | "clock" | "passwords"> & {
  readonly pdf: Pick<PdfWork, "make">;
};

/** Adds the demo's customers to a new database, all or none, and only once. */
export async function seedCustomers(deps: SeedingDependencies, data: DemoData): Promise<void> {
  const seeded = await deps.store.read
    .selectFrom("facts")
    .select("name")
    .where("name", "=", DEMO_CUSTOMERS_FACT)
    .executeTakeFirst();
  if (seeded) return;
  const seed = await prepareCustomers(deps, data);
  await deps.store.write(async (tx) => {
    const fact = { name: DEMO_CUSTOMERS_FACT, value: String(data.customers.length) };
    // If several processes start at once, one inserts this row; the others wait here until it has committed.
    const isFirst = await tx
      .insertInto("facts")
      .values(fact)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name")
      .executeTakeFirst();
    if (isFirst) await seed(tx);
  });
}

/**
 * Prepares the demo's customers; the returned function inserts them. Hashing and making documents takes too long for a
 * transaction.
 */
export async function prepareCustomers(
  deps: SeedingDependencies,
  data: DemoData,
): Promise<(tx: Tx) => Promise<void>> {
  const seeds = data.customers.map((customer, index) => {
    const row = newCustomer(deps.keyring, customer);
    return { customer, row, policies: policiesFrom(deps.clock(), row.id, customer, index) };
  });
  // Other threads do the hashing and make the documents, so the two run at the same time.
  const [passwords, documents] = await Promise.all([
    hashPasswords(deps, data),
    makeDocuments(
      deps.pdf,
      data.documentsOf(
        seeds.flatMap(({ policies, customer }) =>
          policies.map((policy) => ({ ...policy, insured: customer.name })),
        ),
      ),
    ),
  ]);
  // The transaction has few statements, because other starting processes wait for it.
  return async (tx) => {
    await putCustomers(
      tx,
      seeds.map(({ row }) => row),
    );
    await putPolicies(
      tx,
      deps.keyring,
      seeds.flatMap(({ policies }) => policies),
    );
    for (const document of documents) await putDocument(tx, deps.keyring, document);
    for (const { customer, row } of seeds) {
      const password = passwords.get(customer);
      if (password) await seedAccount(tx, deps, row.id, customer, password);
    }
  };
}

/** Hashes the password, once for each customer with an account. */
async function hashPasswords({ passwords }: SeedingDependencies, { customers, password }: DemoData) {
  const unbounded = passwords.unbounded();
  const registered = customers.filter(({ account }) => account !== undefined);
  return new Map(
    await Promise.all(
      registered.map(async (customer) => [customer, await hashPassword(unbounded, password)] as const),
    ),
  );
}

async function hashPassword(passwords: Passwords, password: string): Promise<PasswordHash> {
  const hash = await passwords.hash(readPassword(password));
  if (hash === BUSY) throw new Error("an unbounded queue was full");
  return hash;
}

/** Makes the PDFs one after the other: `PdfWork` would refuse more than a few at once. */
async function makeDocuments(
  pdf: Pick<PdfWork, "make">,
  documents: readonly DemoDocument[],
): Promise<readonly KeptDocument[]> {
  const made: KeptDocument[] = [];
  for (const { sheet, ...document } of documents)
    made.push({
      ...document,
      content: Buffer.from(await pdf.make(sheet, undefined, AbortSignal.timeout(SHEET_MS))),
    });
  return made;
}

/** A customer's policies, each for one year. The two factors spread their starts over the last 300 days. */
function policiesFrom(now: number, customerId: string, customer: DemoCustomer, index: number): HeldPolicy[] {
  return Object.entries(customer.policies).map(([policyNo, { name, product, state, premium }], nth) => {
    const from = now - daysSinceStart(state, (index * 37 + nth * 101) % 300) * DAY;
    const validTo = day(from + (YEAR_DAYS - 1) * DAY);
    return {
      id: randomUUID(),
      policyNo,
      customerId,
      name,
      product,
      validFrom: day(from),
      validTo,
      premium: premium && premiumFrom(now, validTo, premium),
    };
  });
}

/** An account number with the sort code of no bank. */
const ACCOUNT = "PL75999000010000000000100001";

function premiumFrom(now: number, validTo: string, { dueIn, ...premium }: DemoPremium): Premium {
  const today = isoDayInPoland(now);
  const payment =
    dueIn === undefined
      ? { dueOn: null, paidUntil: validTo }
      : { dueOn: day(Date.parse(today) + dueIn * DAY), paidUntil: null };
  return { currency: "PLN", account: ACCOUNT, title: null, ...premium, ...payment, asOf: today };
}

function daysSinceStart(state: DemoPolicy["state"], daysByDefault: number): number {
  if (state === undefined) return daysByDefault;
  return { upcoming: -14, ending: YEAR_DAYS - 13, ended: YEAR_DAYS + 60 }[state];
}

function day(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

async function seedAccount(
  tx: Tx,
  deps: SeedingDependencies,
  customerId: string,
  { account }: DemoCustomer,
  password: PasswordHash,
): Promise<void> {
  if (!account) return;
  const now = deps.clock();
  const id = randomUUID();
  const values = {
    id,
    customer_id: customerId,
    username: account.username,
    username_key: usernameKey(account.username),
    password_hash: password.hash,
    pepper_version: password.pepperVersion,
    state: account.state,
    created_at: now,
  };
  await tx.insertInto("accounts").values(values).execute();
  for (let change = 1; change <= (account.usernameChanges ?? 0); change += 1) {
    await tx
      .insertInto("username_changes")
      .values({ id: randomUUID(), account_id: id, changed_at: now - change * DAY })
      .execute();
  }
  if (account.documentPassword === undefined) return;
  const sealedPassword = sealDocumentPassword(deps.keyring, id, account.documentPassword);
  const columns = {
    key_version: sealedPassword.keyVersion,
    wrapped_key: sealedPassword.wrappedKey,
    password_sealed: sealedPassword.sealed,
    changed_at: now,
  };
  await tx
    .insertInto("document_passwords")
    .values({ account_id: id, ...columns })
    .execute();
}
