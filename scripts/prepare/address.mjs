import { createServer, isIPv6 } from "node:net";
import { Stop } from "./stop.mjs";

/** @typedef {{ host: string, port: number }} Address */

/**
 * The address that the portal should listen on, from HOST and PORT.
 * @returns {Address}
 */
export function readAddress(env = process.env) {
  const value = env.PORT?.trim() || "3000";
  const port = Number(value);
  if (!/^\d+$/.test(value) || port < 1 || port > 65_535) {
    throw new Stop(`PORT must be a whole number from 1 to 65535, not "${value}".`);
  }
  return { host: env.HOST?.trim() || "127.0.0.1", port };
}

/**
 * The address as a person types it into a browser on this machine.
 * @param {Address} address
 */
export function toUrl({ host, port }) {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Stops unless the port is free: remix-serve would only say so with a stack, after a long start.
 * @param {Address} address
 */
export async function requireFree(address) {
  const error = await tryToListen(address);
  if (!error) return;
  const { host, port } = address;
  if (error.code === "EADDRINUSE") {
    throw new Stop(
      `Port ${port} on ${host} is in use: stop what listens there, or use another: PORT=${otherThan(port)} npm start`,
    );
  }
  if (error.code === "EACCES") throw new Stop(`No permission to listen on port ${port}: use one above 1023.`);
  throw new Stop(`HOST=${host} is not an address of this machine (${error.code}).`);
}

/** How many ports are tried. */
const MOST_TRIED = 20;

/**
 * The first free port after an address.
 * @param {Address} address
 * @returns {Promise<Address | undefined>}
 */
export async function freeAddressAfter({ host, port }) {
  const metrics = Number(process.env.METRICS_PORT);
  for (let next = port + 1; next <= Math.min(port + MOST_TRIED, 65_535); next += 1)
    if (next !== metrics && !(await tryToListen({ host, port: next }))) return { host, port: next };
  return undefined;
}

function tryToListen({ host, port }) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

const otherThan = (port) => (port < 65_535 ? port + 1 : port - 1);
