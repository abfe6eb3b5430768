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

/** Active, without a document password. */
export const ANNA: RegisteredCustomer = {
  name: "Anna Nowak",
  policyNo: "POL-100001",
  pid: "85021400129",
  phone: "+48500100001",
  username: "anna.nowak",
  password,
};

/** Active, with a document password. */
export const PIOTR: RegisteredCustomer = {
  name: "Piotr Wiśniewski",
  policyNo: "POL-100002",
  pid: "90072300342",
  phone: "+48500100002",
  username: "piotr.wisniewski",
  password,
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
export const KRYSTYNA: DemoCustomer = {
  name: "Krystyna Wójcik",
  policyNo: "POL-200001",
  pid: "72090811112",
  phone: "+48500200001",
};

/** Not registered yet; an identity document instead of a PESEL. */
export const OLENA: DemoCustomer = {
  name: "Olena Shevchenko",
  policyNo: "POL-200002",
  pid: "FB123456",
  phone: "+48500200002",
};

/** Not registered yet; a company (Kowalski Transport sp. z o.o.) by its representative. */
export const COMPANY: DemoCustomer = {
  name: "Adam Kowalski",
  policyNo: "POL-200003",
  pid: "9512345675",
  phone: "+48500200003",
};

/** Not registered yet, for repeated tests: number 1 to 90. */
export function freshCustomer(number: number): DemoCustomer {
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
