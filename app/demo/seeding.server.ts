import { seedCustomers } from "~/backend/index.server";
import type { DemoData } from "~/backend/types";
import { DEMO_CUSTOMERS, DEMO_PASSWORD } from "./customers.server";
import { demoDocuments } from "./documents.server";

/** All of the demo's invented data. */
export const DEMO: DemoData = {
  customers: DEMO_CUSTOMERS,
  password: DEMO_PASSWORD,
  documentsOf: demoDocuments,
};

/** Adds the demo's customers to a new database, once. */
export const seedDemoCustomers = (deps: Parameters<typeof seedCustomers>[0]): Promise<void> =>
  seedCustomers(deps, DEMO);
