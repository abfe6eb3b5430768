import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";
import { checkInstallation } from "~/backend/doctor/checks.server";
import { DOCTOR_SCOPE, readEnvironment } from "~/platform/config/environment.server";
import { newDataDir } from "../../backend/test-place";

/** The port of a server that listens until the test has ended. */
export async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The port of a server that answers so. */
export const answering = (answer: RequestListener) => portOf(createServer(answer));

/** The settings that `portal doctor` reads from these variables. */
export function settingsFrom(variables: Readonly<Record<string, string>>) {
  const reading = readEnvironment({ DATA_DIR: newDataDir(), ...variables }, DOCTOR_SCOPE);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return reading.environment;
}

/** The result of the check with this name, by this clock. */
export async function find(
  name: string,
  variables: Readonly<Record<string, string>>,
  clock = () => Date.now(),
) {
  const results = await checkInstallation(settingsFrom(variables), clock);
  return results.find((result) => result.name === name);
}
