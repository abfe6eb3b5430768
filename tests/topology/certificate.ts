import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where a certificate and its key are. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate for 127.0.0.1 that nobody vouches for: browsers have to be told to take any. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const files = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const out = ["-keyout", files.key, "-out", files.certificate];
  await promisify(execFile)("openssl", ["req", ...kind, ...subject, ...out]);
  return files;
}
