/** Of four forms that give nothing away, one exceeds this by chance in fewer than 1 of 3,000 runs. */
const DEVIATIONS = 4;

/**
 * How well a guess may do before it counts as a finding: as well as allowed, or as well as chance does with so few
 * requests. For two samples of n from one distribution, the AUC has the standard deviation √((2n + 1) / 12n²).
 */
export function mostAuc(aSide: number, allowed: number): number {
  const deviation = Math.sqrt((2 * aSide + 1) / (12 * aSide ** 2));
  return Math.max(allowed, 0.5 + DEVIATIONS * deviation);
}
