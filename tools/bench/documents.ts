import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPdfWork } from "~/backend/documents/pdf-workers.server";
import type { PdfWork } from "~/backend/documents/pdf-work.server";
import { confirmationTexts } from "~/i18n/confirmation-texts.server";
import { LIMITS } from "~/platform/config/limits";
import { processorTime } from "../../tests/processor-time";
import { pdfWith } from "../../tests/pdf-file";
import type { Thoroughness } from "./bench";
import { documentLoadRows } from "./documents/load";
import { percentile } from "./percentile";
import type { Row } from "./row";

const MOST_CPU_MS = 60;
const MOST_OF_QPDF = 2.5;
const LARGE_BYTES = 5 * 1024 * 1024;
const PASSWORD = "Dokument-2026!";

/** Making and encrypting documents, and the effect on other visitors. */
export async function benchDocuments(thoroughness: Thoroughness): Promise<readonly Row[]> {
  const times = thoroughness.quick ? 5 : 40;
  const pdf = openPdfWork(LIMITS);
  try {
    return [
      await confirmationRow(pdf, times),
      await largeRow(pdf, times),
      ...(await documentLoadRows(thoroughness)),
    ];
  } finally {
    await pdf.close();
  }
}

async function confirmationRow(pdf: PdfWork, times: number): Promise<Row> {
  const brand = {
    name: "Tarnea Ubezpieczenia",
    colour: "#006B75",
    claims: { phone: "800 100 200", url: undefined, assistance: undefined },
  };
  const sheet = confirmationTexts(brand).sheet(
    {
      policyNo: "POL-100001",
      name: "Ubezpieczenie mieszkania",
      insured: "Anna Nowak",
      validFrom: "2026-01-01",
      validTo: "2026-12-31",
    },
    Date.now(),
  );
  const make = () => pdf.make(sheet, PASSWORD);
  const first = await processorTime(make);
  const measured: number[] = [];
  for (let nth = 0; nth < times; nth += 1) measured.push(await processorTime(make));
  return {
    name: "confirmation of cover, made and encrypted: CPU",
    unit: "ms",
    measured: percentile(measured, 50),
    target: { of: "measured", bound: "at most", value: MOST_CPU_MS },
    note: `median of ${times}; the first, which starts the thread, ${first.toFixed(0)} ms`,
  };
}

/** qpdf's own command on the same machine, one after the other. */
async function largeRow(pdf: PdfWork, times: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), "portal-bench-pdf-"));
  try {
    const [large, encrypted] = [join(folder, "large.pdf"), join(folder, "encrypted.pdf")];
    // Noise: no filter makes it smaller.
    const content = pdfWith(randomBytes(LARGE_BYTES));
    writeFileSync(large, content);
    const words = ["--encrypt", PASSWORD, "owner", "256", "--", large, encrypted];
    const [measured, floor]: [number[], number[]] = [[], []];
    for (let nth = 0; nth < times; nth += 1) {
      measured.push(await took(() => pdf.protect(new Uint8Array(content), PASSWORD)));
      floor.push(await took(() => execFileSync("qpdf", words)));
    }
    return {
      name: "document of 5 MB, encrypted",
      unit: "ms",
      measured: percentile(measured, 50),
      target: { of: "ratio", bound: "at most", value: MOST_OF_QPDF },
      floor: { value: percentile(floor, 50), what: "qpdf's own command" },
      note: `medians of ${times}`,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function took(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
