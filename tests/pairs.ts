import { IS_RELEASE } from "./release-run";

/**
 * The others that one of many meets: together each meets at least one and is met by at least one. Before a release all
 * meet all.
 * @param nth the position of the one among `many`
 */
export function metBy<Other>(nth: number, many: number, others: readonly Other[]): readonly Other[] {
  if (IS_RELEASE) return others;
  return others.filter((_, at) => (many <= others.length ? at % many === nth : nth % others.length === at));
}
