import { describe, expect, it, type TestContext } from "vitest";
import { ANNA, KRYSTYNA, OLENA, PIOTR } from "../demo-customers";
import { openTestBackend } from "../unit/backend/test-backend";
import { faultyList, faultyPage, mixedUp, oneListForAll, otherDocument, type Fault } from "./faulty-way";
import { policyPromises, type AddPromise } from "./policies";
import { registeredCustomerPromises } from "./registered-customers";
import { expectMissing } from "./transport";
import type { Way } from "./way";

const swap = <Value>([first, second, ...others]: readonly Value[]) =>
  [second, first, ...others].filter((value) => value !== undefined);
const PIOTRS = { policyNo: PIOTR.policyNo, name: "x", validFrom: "2026-01-01", validTo: "2026-12-31" };

/** Faults of a backend, each with the suite's report of it. */
const FAULTS: Readonly<Record<string, readonly [Fault, string]>> = {
  "leaves out a policy": [faultyList((list) => list.slice(0, -1)), "POL-120001 is left out of ANNA's list"],
  "lists a policy that nobody has": [
    faultyList((list) => [...list, { ...PIOTRS, policyNo: "POL-999997" }]),
    "ANNA's list has POL-999997, which is not in the customers file",
  ],
  "lists policies with each other's names": [
    faultyList((list) => list.map((each, nth) => ({ ...each, name: list.at(nth - 1)?.name }))),
    'the list says name "Ubezpieczenie podróży" of POL-100001, not "Ubezpieczenie mieszkania"',
  ],
  "leaves out a premium": [
    faultyList((list) => list.map(({ premium: _premium, ...each }) => each)),
    "the list says no premium of POL-100001",
  ],
  "lists a premium that breaks the rules": [
    faultyList((list) => list.map((each) => ({ ...each, premium: { ...each.premium, amount: "129" } }))),
    "the list says a premium of POL-100001 whose amount breaks the rules",
  ],
  "gives all policies the same id": [
    faultyList((list) => list.map((each) => ({ ...each, id: list[0]?.id }))),
    "POL-100001 and POL-110001 and POL-120001 have the same id in ANNA's list",
  ],
  "changes the order of policies": [
    faultyList((list, nth) => (nth % 2 === 1 ? swap(list) : [...list])),
    "ANNA's list was POL-100001, POL-110001, POL-120001, and at the next call POL-110001, POL-100001, POL-120001",
  ],
  "answers with the page of another policy": [
    faultyPage((own, other) => ({ ...other, id: own.id })),
    "the page of POL-100001 is that of POL-110001",
  ],
  "gives a page another policy's documents as well": [
    faultyPage((own, { documents }) => ({ ...own, documents: [...own.documents, ...documents] })),
    '"Potwierdzenie ubezpieczenia" of POL-100001 and "Potwierdzenie ubezpieczenia" of POL-120001 have the same id',
  ],
  "answers with another document": [otherDocument, '"Potwierdzenie ubezpieczenia" is downloaded as "'],
  "answers customers with one another's lists": [
    oneListForAll,
    "PIOTR's list has POL-100001, which is ANNA's",
  ],
  "takes one customer's policy number for another's": [
    mixedUp({ "POL-110001": "POL-110002" }),
    "registering POL-110001 with the identifier of its customer",
  ],
  "reminds of another customer's username": [
    // The identifiers as well, so that registering is refused as it should be.
    mixedUp(
      {
        "POL-110001": "POL-110002",
        "POL-120001": "POL-120002",
        [ANNA.pid]: PIOTR.pid,
        "POL-100001": "POL-100002",
      },
      { [PIOTR.phone]: ANNA.phone },
    ),
    "the username for POL-100001",
  ],
  "registers another customer": [
    mixedUp(
      { [KRYSTYNA.policyNo]: OLENA.policyNo, [KRYSTYNA.pid]: OLENA.pid },
      { [OLENA.phone]: KRYSTYNA.phone },
    ),
    `expected '${OLENA.name}' to be '${KRYSTYNA.name}'`,
  ],
};

// A backend may be checked against all promises, with dozens of sign-ins.
describe("the conformance suite", () => {
  it("finds no fault in a backend that has none", async (context) => {
    expect(await faultsFoundIn((way) => way, context)).toEqual([]);
  });

  it.for(Object.entries(FAULTS))("notices a backend that %s", async ([, [fault, says]], context) => {
    expect((await faultsFoundIn(fault, context, says)).join("\n")).toContain(says);
  });

  it("notices a backend that offers a call, but answers 404 without a session", async () => {
    const backend = await openTestBackend();
    const asked = expectMissing(backend, { method: "GET", path: "/cp/api/sessions" });
    await expect(asked).rejects.toThrow("GET /cp/api/sessions is 404 without a session, but not in one");
    await backend.close();
  });
});

/**
 * The faults that the promises about policies find in a backend with this fault, as `npm run conformance` prints them:
 * all of them, or those up to the first line with these words.
 */
async function faultsFoundIn(fault: Fault, context: TestContext, words?: string): Promise<readonly string[]> {
  const backend = await openTestBackend();
  const way: Way = fault(backend);
  const promises: (() => Promise<void>)[] = [];
  const add: AddPromise = (_, keep) => promises.push(() => keep(context));
  policyPromises(() => way, add);
  registeredCustomerPromises(() => way, add);
  const found: string[] = [];
  for (const keep of promises) {
    await keep().catch((error: unknown) =>
      found.push(error instanceof Error ? error.message : String(error)),
    );
    if (words !== undefined && found.at(-1)?.includes(words)) break;
  }
  await backend.close();
  return found;
}
