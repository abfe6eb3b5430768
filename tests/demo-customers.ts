import type { Product } from "~/contract/customer-area.server";
import type { SourcePremium } from "~/contract/premium.server";

/** A premium as it should be said; what is left out may be anything. */
type KnownPremium = { readonly [Field in keyof SourcePremium]?: SourcePremium[Field] | undefined };

/** A policy as it should be shown; a fact that is left out may be anything. */
export interface KnownPolicy {
  readonly policyNo: string;
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly validFrom?: string | undefined;
  readonly validTo?: string | undefined;
  readonly product?: Product | undefined;
  /** What is known of its premium; null: the insurer says nothing of money. */
  readonly premium?: KnownPremium | null | undefined;
  /** Who is insured, in the words of the policy's page. */
  readonly insured?: string | undefined;
  /** The names of its documents, in any order. */
  readonly documents?: readonly string[] | undefined;
}

/** All policies of a customer. */
export interface WithPolicies {
  readonly policies: readonly KnownPolicy[];
}

/** An invented customer of the demo, as its documentation lists it. */
export interface DemoCustomer {
  readonly name: string;
  readonly policyNo: string;
  readonly pid: string;
  readonly phone: string;
}

/** A demo customer who has an account. */
export interface RegisteredCustomer extends DemoCustomer {
  readonly username: string;
  readonly password: string;
}

const password = "Demo-Haslo-2026";

/** The document that every policy of the demo has. */
const CONFIRMATION = "Potwierdzenie ubezpieczenia";

/** A premium in PLN to the demo's account; its days, too, depend on the day the demo was made. */
function inPln(amount: string): KnownPremium {
  return { amount, currency: "PLN", account: ACCOUNT, title: null };
}

/** No bank has this number. */
const ACCOUNT = "PL75999000010000000000100001";

/** Policies of a customer who is insured by each; their dates depend on the day the demo was made. */
function policiesOf(insured: string, ...policies: readonly KnownPolicy[]): readonly KnownPolicy[] {
  return policies.map((policy) => ({ insured, premium: null, documents: [CONFIRMATION], ...policy }));
}

/** Active, without a document password. */
export const ANNA: RegisteredCustomer & WithPolicies = {
  name: "Anna Nowak",
  policyNo: "POL-100001",
  pid: "85021400129",
  phone: "+48500100001",
  username: "anna.nowak",
  password,
  policies: policiesOf(
    "Anna Nowak",
    {
      policyNo: "POL-100001",
      name: "Ubezpieczenie mieszkania",
      product: "home",
      premium: inPln("129.00"),
      documents: [
        CONFIRMATION,
        "Polisa",
        "Sprawdź sumę ubezpieczenia mieszkania",
        "Ogólne warunki ubezpieczenia mieszkania",
      ],
    },
    {
      policyNo: "POL-110001",
      name: "OC i AC – Toyota Yaris",
      product: "car",
      premium: inPln("412.50"),
    },
    { policyNo: "POL-120001", name: "Ubezpieczenie podróży", product: "travel", premium: inPln("86.40") },
  ),
};

/** Active, with a document password. */
export const PIOTR: RegisteredCustomer & WithPolicies = {
  name: "Piotr Wiśniewski",
  policyNo: "POL-100002",
  pid: "90072300342",
  phone: "+48500100002",
  username: "piotr.wisniewski",
  password,
  policies: policiesOf(
    "Piotr Wiśniewski",
    {
      policyNo: "POL-100002",
      name: "OC – Škoda Octavia",
      product: "car",
      premium: inPln("189.00"),
      documents: [
        CONFIRMATION,
        "Polisa",
        "Zielona Karta jest bezpłatna",
        "Ogólne warunki ubezpieczenia OC posiadaczy pojazdów",
      ],
    },
    {
      policyNo: "POL-110002",
      name: "Ubezpieczenie na życie",
      product: "life",
      premium: { ...inPln("50.00"), currency: "EUR", title: "Składka POL-110002, Piotr Wiśniewski" },
    },
    {
      policyNo: "POL-120002",
      name: "Ubezpieczenie mieszkania",
      product: "home",
      premium: { ...inPln("74.20"), account: null },
    },
    { policyNo: "POL-130002", name: "Ubezpieczenie zdrowotne", product: "health" },
    { policyNo: "POL-140002", name: "Ubezpieczenie podróży", product: "travel" },
  ),
};

/** Piotr's document password. */
export const PIOTRS_DOCUMENT_PASSWORD = "Dokument-2026!";

/** Locked by a person: 106. */
export const MARIA: RegisteredCustomer = {
  name: "Maria Lewandowska",
  policyNo: "POL-100003",
  pid: "78110500565",
  phone: "+48500100003",
  username: "maria.lewandowska",
  password,
};

/** Expired: 105. */
export const TOMASZ: RegisteredCustomer = {
  name: "Tomasz Zieliński",
  policyNo: "POL-100004",
  pid: "66031900780",
  phone: "+48500100004",
  username: "tomasz.zielinski",
  password,
};

/** Disabled: 108. */
export const EWA: RegisteredCustomer = {
  name: "Ewa Dąbrowska",
  policyNo: "POL-100005",
  pid: "99120100907",
  phone: "+48500100005",
  username: "ewa.dabrowska",
  password,
};

/** Active; has changed the username three times this month: 015. */
export const JAN: RegisteredCustomer = {
  name: "Jan Kowalczyk",
  policyNo: "POL-100006",
  pid: "88061512348",
  phone: "+48500100006",
  username: "jan.kowalczyk",
  password,
};

/** Not registered yet. */
export const KRYSTYNA: DemoCustomer & WithPolicies = {
  name: "Krystyna Wójcik",
  policyNo: "POL-200001",
  pid: "72090811112",
  phone: "+48500200001",
  policies: policiesOf(
    "Krystyna Wójcik",
    { policyNo: "POL-200001", name: "Ubezpieczenie domu i ogrodu", product: "home" },
    { policyNo: "POL-210001", name: "Assistance 24 h", product: "other" },
  ),
};

/** Not registered yet; an identity document instead of a PESEL. */
export const OLENA: DemoCustomer & WithPolicies = {
  name: "Olena Shevchenko",
  policyNo: "POL-200002",
  pid: "FB123456",
  phone: "+48500200002",
  policies: policiesOf("Olena Shevchenko", {
    policyNo: "POL-200002",
    name: "OC – Renault Clio",
    product: "car",
  }),
};

/** Not registered yet; a company (Kowalski Transport sp. z o.o.) by its representative. */
export const COMPANY: DemoCustomer & WithPolicies = {
  name: "Adam Kowalski",
  policyNo: "POL-200003",
  pid: "9512345675",
  phone: "+48500200003",
  policies: policiesOf(
    "Kowalski Transport sp. z o.o.",
    {
      policyNo: "POL-200003",
      name: "Flota – OC i AC, 12 pojazdów",
      product: "business",
      premium: inPln("12480.00"),
      documents: [
        CONFIRMATION,
        "Polisa",
        "Prosimy o aktualny wykaz pojazdów",
        "Ogólne warunki ubezpieczenia flot",
      ],
    },
    { policyNo: "POL-210003", name: "Ubezpieczenie mienia w transporcie", product: "business" },
    { policyNo: "POL-220003", name: "OC przewoźnika drogowego", product: "business" },
  ),
};

/** How many such customers the demo has: see `freshCustomer`. */
const FRESH = 90;

/** Not registered yet, for repeated tests: number 1 to 90. @throws Error if there are no more */
export function freshCustomer(number: number): DemoCustomer {
  if (number > FRESH)
    throw new Error(`the demo has ${FRESH} customers who have not registered, no ${number}th`);
  const two = String(number).padStart(2, "0");
  return {
    name: `Klient Testowy ${two}`,
    policyNo: `POL-3000${two}`,
    pid: `TEST000${two}`,
    phone: `+485003000${two}`,
  };
}

/** Every customer with an account. */
export const REGISTERED: readonly RegisteredCustomer[] = [ANNA, PIOTR, MARIA, TOMASZ, EWA, JAN];
/** Every customer listed by name. */
export const NAMED: readonly DemoCustomer[] = [...REGISTERED, KRYSTYNA, OLENA, COMPANY];
