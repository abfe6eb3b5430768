import type { DemoCustomer } from "~/backend/types";

/** The password of every demo account. */
export const DEMO_PASSWORD = "Demo-Haslo-2026";

const REGISTERED: readonly DemoCustomer[] = [
  {
    kind: "individual",
    name: "Anna Nowak",
    pid: "85021400129",
    phone: "+48500100001",
    email: "anna.nowak@poczta.example",
    policies: {
      "POL-100001": {
        name: "Ubezpieczenie mieszkania",
        product: "home",
        premium: { amount: "129.00", dueIn: 40 },
      },
      "POL-110001": {
        name: "OC i AC – Toyota Yaris",
        product: "car",
        premium: { amount: "412.50", dueIn: 9 },
      },
      "POL-120001": { name: "Ubezpieczenie podróży", product: "travel", premium: { amount: "86.40" } },
    },
    account: { username: "anna.nowak", state: "active" },
  },
  {
    kind: "individual",
    name: "Piotr Wiśniewski",
    pid: "90072300342",
    phone: "+48500100002",
    email: "piotr.wisniewski@poczta.example",
    policies: {
      "POL-100002": { name: "OC – Škoda Octavia", product: "car", premium: { amount: "189.00", dueIn: -5 } },
      "POL-110002": {
        name: "Ubezpieczenie na życie",
        product: "life",
        premium: {
          amount: "50.00",
          currency: "EUR",
          dueIn: 60,
          title: "Składka POL-110002, Piotr Wiśniewski",
        },
      },
      "POL-120002": {
        name: "Ubezpieczenie mieszkania",
        product: "home",
        state: "ending",
        premium: { amount: "74.20", dueIn: 6, account: null },
      },
      "POL-130002": { name: "Ubezpieczenie zdrowotne", product: "health", state: "upcoming" },
      "POL-140002": { name: "Ubezpieczenie podróży", product: "travel", state: "ended" },
    },
    account: { username: "piotr.wisniewski", state: "active", documentPassword: "Dokument-2026!" },
  },
  {
    kind: "individual",
    name: "Maria Lewandowska",
    pid: "78110500565",
    phone: "+48500100003",
    policies: { "POL-100003": { name: "Ubezpieczenie domu", product: "home" } },
    account: { username: "maria.lewandowska", state: "locked" },
  },
  {
    kind: "individual",
    name: "Tomasz Zieliński",
    pid: "66031900780",
    phone: "+48500100004",
    policies: { "POL-100004": { name: "OC i AC – Ford Focus", product: "car" } },
    account: { username: "tomasz.zielinski", state: "expired" },
  },
  {
    kind: "individual",
    name: "Ewa Dąbrowska",
    pid: "99120100907",
    phone: "+48500100005",
    policies: { "POL-100005": { name: "NNW dziecka w szkole", product: "health" } },
    account: { username: "ewa.dabrowska", state: "disabled" },
  },
  {
    kind: "individual",
    name: "Jan Kowalczyk",
    pid: "88061512348",
    phone: "+48500100006",
    policies: {
      "POL-100006": { name: "Ubezpieczenie mieszkania", product: "home" },
      "POL-110006": { name: "OC – Honda CB500", product: "car" },
    },
    account: { username: "jan.kowalczyk", state: "active", usernameChanges: 3 },
  },
];

const NOT_REGISTERED: readonly DemoCustomer[] = [
  {
    kind: "individual",
    name: "Krystyna Wójcik",
    pid: "72090811112",
    phone: "+48500200001",
    policies: {
      "POL-200001": { name: "Ubezpieczenie domu i ogrodu", product: "home" },
      "POL-210001": { name: "Assistance 24 h", product: "other" },
    },
  },
  {
    kind: "no-id",
    name: "Olena Shevchenko",
    pid: "FB123456",
    phone: "+48500200002",
    policies: { "POL-200002": { name: "OC – Renault Clio", product: "car" } },
  },
  {
    kind: "company",
    name: "Kowalski Transport sp. z o.o.",
    representative: "Adam Kowalski",
    pid: "9512345675",
    phone: "+48500200003",
    email: "biuro@kowalski-transport.example",
    policies: {
      "POL-200003": {
        name: "Flota – OC i AC, 12 pojazdów",
        product: "business",
        premium: { amount: "12480.00", dueIn: 21 },
      },
      "POL-210003": { name: "Ubezpieczenie mienia w transporcie", product: "business" },
      "POL-220003": { name: "OC przewoźnika drogowego", product: "business" },
    },
  },
];

const FOR_REPEATED_TESTS = 90;

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
    policies: { [`POL-3000${two}`]: { name: "Ubezpieczenie turystyczne", product: "travel" } },
  };
}
