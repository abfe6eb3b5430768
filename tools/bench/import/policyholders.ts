import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { withDataDir } from "../portal";

/** Writes an import file with these policyholders, a policy each; removes it after the work. */
export function withPolicyholders<Value>(
  { first, count }: { readonly first: number; readonly count: number },
  work: (file: string) => Promise<Value>,
): Promise<Value> {
  return withDataDir(async (folder) => {
    const file = join(folder, "policyholders.jsonl");
    const out = createWriteStream(file);
    for (let nth = first; nth < first + count; nth += 1)
      if (!out.write(`${JSON.stringify(policyholderNumber(nth))}\n`)) await once(out, "drain");
    await finished(out.end());
    return work(file);
  });
}

function policyholderNumber(nth: number) {
  const digits = String(nth).padStart(9, "0");
  return {
    kind: "individual",
    name: `Zofia Mazur-Kowalska ${nth}`,
    phone: `+48${500_000_000 + nth}`,
    pid: `92${digits}`,
    email: `zofia.mazur.${nth}@poczta.example`,
    policies: [
      {
        policyNo: `POL-${digits}`,
        name: "OC – Fiat 500",
        product: "car",
        validFrom: "2026-03-01",
        validTo: "2027-02-28",
      },
    ],
  };
}
