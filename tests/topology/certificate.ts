import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** The paths of a certificate and its key. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a self-signed certificate, for 127.0.0.1 unless others are named; browsers have to be told to accept it. */
export async function makeCertificate(folder: string, names = "IP:127.0.0.1"): Promise<Certificate> {
  const files = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  const kind = [
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "30",
  ];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", `subjectAltName=${names}`];
  const out = ["-keyout", files.key, "-out", files.certificate];
  await promisify(execFile)("openssl", ["req", ...kind, ...subject, ...out]);
  return files;
}
