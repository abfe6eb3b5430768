import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { environment } from "../config/environment.server";
import { log } from "./log.server";
import { metricsText, watchProcess } from "./metrics.server";
import { failStartup } from "../lifecycle/fail-startup.server";
import { keepAlive } from "../lifecycle/process.server";

/** How long a client may take to send its request and read the answer (ms). */
const PATIENCE_MS = 5000;
/** Only a scraper or two connect here. */
const MOST_CONNECTIONS = 16;

/**
 * Serves `GET /metrics` and nothing else on `METRICS_PORT`, if it is set; customers use another port (S74). If the port
 * can't be opened, the process ends with one line and exit code 1.
 */
export async function openMetricsPort(): Promise<void> {
  const { METRICS_PORT: port, METRICS_HOST: host } = environment();
  if (port === undefined) return;
  watchProcess();
  const server = keepAlive("metrics port", makeServer, (open) => {
    open.close();
    open.closeAllConnections();
  });
  await new Promise<void>((listening) => {
    server.once("error", (error) => {
      failStartup([`METRICS_PORT: cannot listen on port ${port}: ${codeOf(error)}`]);
    });
    server.listen(port, host, listening);
  });
}

function makeServer(): Server {
  const patience = { headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS };
  const server = createServer({ ...patience, connectionsCheckingInterval: PATIENCE_MS }, answer);
  server.timeout = PATIENCE_MS;
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

function answer({ method, url }: IncomingMessage, response: ServerResponse): void {
  if (url !== "/metrics") response.writeHead(404).end();
  else if (method !== "GET") response.writeHead(405, { Allow: "GET" }).end();
  else void sendMetrics(response);
}

async function sendMetrics(response: ServerResponse): Promise<void> {
  try {
    const text = await metricsText();
    response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
  } catch (error) {
    log().error({ err: error }, "metrics failed");
    response.writeHead(500).end();
  }
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "unknown";
}
