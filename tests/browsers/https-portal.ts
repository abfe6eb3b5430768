import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as ask } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPortal, type Portal } from "../portal";
import { freePort } from "../portal-process";

/** A portal behind a proxy that speaks TLS, as customers meet it. Its certificate is nobody's: the browsers are told to take any. */
export async function startHttpsPortal(): Promise<Portal> {
  const port = await freePort();
  const portal = await startPortal({
    publicOrigin: `https://127.0.0.1:${port}`,
    env: { TRUSTED_PROXIES: "127.0.0.1" },
  });
  const proxy = createServer(await certificate(), (request, response) => {
    const { method, url: path } = request;
    const headers = { ...request.headers, "x-forwarded-for": "127.0.0.1" };
    const passed = ask({ host: "127.0.0.1", port: portal.port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
  return {
    ...portal,
    stop: async (signal) => {
      proxy.close();
      proxy.closeAllConnections();
      return portal.stop(signal);
    },
  };
}

async function certificate(): Promise<{ readonly key: Buffer; readonly cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")] as const;
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  await promisify(execFile)("openssl", ["req", ...kind, ...subject, "-keyout", key, "-out", cert]);
  const files = { key: await readFile(key), cert: await readFile(cert) };
  await rm(folder, { recursive: true });
  return files;
}
