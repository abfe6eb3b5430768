export interface Advisory {
  readonly id: string;
  readonly name: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
}
export interface Verdict {
  readonly id: string;
  readonly package: string;
  readonly reason: string;
  readonly until: string;
}
export declare function readAudit(
  output: string,
):
  | { readonly kind: "answer"; readonly advisories: readonly Advisory[] }
  | { readonly kind: "no answer"; readonly reason: string };
export declare function judge(
  advisories: readonly Advisory[],
  verdicts: readonly Verdict[],
  today: string,
): { readonly lines: readonly string[]; readonly complaints: readonly string[] };
