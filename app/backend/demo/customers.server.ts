import type { AccountState, CustomerKind } from "../store/tables.server";

/** A customer of the demo. All people and companies are invented. */
export interface DemoCustomer {
  readonly kind: CustomerKind;
  readonly name: string;
  readonly representative?: string;
  readonly pid: string;
  readonly phone: string;
  /** What is insured, by policy number. The documentation names the first number. */
  readonly policies: Readonly<Record<string, string>>;
  readonly account?: DemoAccount;
}

interface DemoAccount {
  readonly username: string;
  readonly state: AccountState;
  readonly documentPassword?: string;
  /** Username changes during the last month. */
  readonly usernameChanges?: number;
}

/** The password of every demo account. */
export const DEMO_PASSWORD = "Demo-Haslo-2026";

const REGISTERED: readonly DemoCustomer[] = [
  {
    kind: "individual",
    name: "Anna Nowak",
    pid: "85021400129",
    phone: "+48500100001",
    policies: {
      "POL-100001": "Ubezpieczenie mieszkania",
      "POL-110001": "OC i AC – Toyota Yaris",
      "POL-120001": "Ubezpieczenie podróży",
    },
    account: { username: "anna.nowak", state: "active" },
  },
  {
    kind: "individual",
    name: "Piotr Wiśniewski",
    pid: "90072300342",
    phone: "+48500100002",
    policies: { "POL-100002": "OC – Škoda Octavia", "POL-110002": "Ubezpieczenie na życie" },
    account: { username: "piotr.wisniewski", state: "active", documentPassword: "Dokument-2026!" },
  },
  {
    kind: "individual",
    name: "Maria Lewandowska",
    pid: "78110500565",
    phone: "+48500100003",
    policies: { "POL-100003": "Ubezpieczenie domu" },
    account: { username: "maria.lewandowska", state: "locked" },
  },
  {
    kind: "individual",
    name: "Tomasz Zieliński",
    pid: "66031900780",
    phone: "+48500100004",
    policies: { "POL-100004": "OC i AC – Ford Focus" },
    account: { username: "tomasz.zielinski", state: "expired" },
  },
  {
    kind: "individual",
    name: "Ewa Dąbrowska",
    pid: "99120100907",
    phone: "+48500100005",
    policies: { "POL-100005": "NNW dziecka w szkole" },
    account: { username: "ewa.dabrowska", state: "disabled" },
  },
  {
    kind: "individual",
    name: "Jan Kowalczyk",
    pid: "88061512348",
    phone: "+48500100006",
    policies: { "POL-100006": "Ubezpieczenie mieszkania", "POL-110006": "OC – Honda CB500" },
    account: { username: "jan.kowalczyk", state: "active", usernameChanges: 3 },
  },
];

const NOT_REGISTERED: readonly DemoCustomer[] = [
  {
    kind: "individual",
    name: "Krystyna Wójcik",
    pid: "72090811112",
    phone: "+48500200001",
    policies: { "POL-200001": "Ubezpieczenie domu i ogrodu", "POL-210001": "Assistance 24 h" },
  },
  {
    kind: "no-id",
    name: "Olena Shevchenko",
    pid: "FB123456",
    phone: "+48500200002",
    policies: { "POL-200002": "OC – Renault Clio" },
  },
  {
    kind: "company",
    name: "Kowalski Transport sp. z o.o.",
    representative: "Adam Kowalski",
    pid: "9512345675",
    phone: "+48500200003",
    policies: {
      "POL-200003": "Flota – OC i AC, 12 pojazdów",
      "POL-210003": "Ubezpieczenie mienia w transporcie",
      "POL-220003": "OC przewoźnika drogowego",
    },
  },
];

const FOR_REPEATED_TESTS = 50;

/** Every customer of the demo. */
export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  ...REGISTERED,
  ...NOT_REGISTERED,
  ...Array.from({ length: FOR_REPEATED_TESTS }, (_, index) => forRepeatedTests(index + 1)),
];

function forRepeatedTests(number: number): DemoCustomer {
  const two = String(number).padStart(2, "0");
  return {
    kind: "no-id",
    name: `Klient Testowy ${two}`,
    pid: `TEST000${two}`,
    phone: `+485003000${two}`,
    policies: { [`POL-3000${two}`]: "Ubezpieczenie turystyczne" },
  };
}
