/**
 * How well the size of a figure tells two groups apart: the chance that one of the first group is larger than one of
 * the second, or smaller if that is more likely (AUC, the Mann–Whitney U over all pairs). 0.5: not at all; 1: always.
 */
export function tellingApart(one: readonly number[], other: readonly number[]): number {
  const all = [
    ...one.map((value) => ({ value, isFirst: true })),
    ...other.map((value) => ({ value, isFirst: false })),
  ].sort((left, right) => left.value - right.value);
  let ranks = 0;
  for (let start = 0; start < all.length;) {
    // Equal figures share the mean of their ranks.
    let end = start;
    while (end < all.length && all[end]?.value === all[start]?.value) end += 1;
    const shared = (start + 1 + end) / 2;
    ranks += shared * all.slice(start, end).filter(({ isFirst }) => isFirst).length;
    start = end;
  }
  const larger = (ranks - (one.length * (one.length + 1)) / 2) / (one.length * other.length);
  return Math.max(larger, 1 - larger);
}
