import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { withTimeout } from "./with-timeout.server";

/** The words that each label of a metric may have. An empty list: words of a closed set that is known elsewhere. */
type LabelWords = Readonly<Record<string, readonly string[]>>;
type LabelsOf<Words extends LabelWords> = { readonly [Name in keyof Words]: Words[Name][number] };

/** Counts what happened. */
export interface CounterOf<Labels> {
  /** One more, or `by` more. */
  inc(labels: Labels, by?: number): void;
}

/** Counts durations, sorted by length. */
export interface TimerOf<Labels> {
  /** A duration in seconds. */
  observe(labels: Labels, seconds: number): void;
}

/** Numbers that somebody looks up when metrics are asked for. */
export interface Levels<Name extends string> {
  /** Says who looks them up from now on. It may take a second and may fail: then they are not known (NaN). */
  feed(read: () => Reading<Name> | Promise<Reading<Name>>): void;
  /** Has them looked up now. Never throws. */
  refresh(): Promise<void>;
}

type Reading<Name extends string> = Readonly<Record<Name, number>>;
interface Described {
  readonly name: string;
  readonly help: string;
}

const LOOK_UP_MS = 1000;

/** A counter; all of its series are there from the start, at 0, so that the first event is a rise as well. */
export function counter<const Words extends LabelWords>(
  registry: Registry,
  { name, help }: Described,
  words: Words,
): CounterOf<LabelsOf<Words>> {
  const made = new Counter({ name, help, labelNames: Object.keys(words), registers: [registry] });
  for (const labels of combinations(words)) made.inc(labels, 0);
  return made;
}

/** A timer with these upper bounds, in seconds. */
export function timer<const Words extends LabelWords>(
  registry: Registry,
  { name, help, buckets }: Described & { readonly buckets: readonly number[] },
  words: Words,
): TimerOf<LabelsOf<Words>> {
  const labelNames = Object.keys(words);
  const made = new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [registry] });
  for (const labels of combinations(words)) made.zero(labels);
  return made;
}

/** Levels that are looked up together. */
export function levels<Name extends string>(
  registry: Registry,
  described: Readonly<Record<Name, Described>>,
): Levels<Name> {
  const names = Object.keys(described) as Name[];
  const gauges = new Map(
    names.map((name) => [name, new Gauge({ ...described[name], registers: [registry] })]),
  );
  const show = (reading: Partial<Reading<Name>>) => {
    for (const [name, gauge] of gauges) gauge.set(reading[name] ?? NaN);
  };
  let read: (() => Reading<Name> | Promise<Reading<Name>>) | undefined;
  show({});
  return {
    feed: (from) => (read = from),
    refresh: async () => {
      if (!read) return;
      // A database that hangs must not take the metrics with it.
      const reading = await withTimeout(LOOK_UP_MS, Promise.resolve().then(read)).catch(() => undefined);
      show(reading ?? {});
    },
  };
}

/** Every way to choose a word for each label; none where a label's words are not listed. */
function combinations(words: LabelWords): Record<string, string>[] {
  return Object.entries(words).reduce<Record<string, string>[]>(
    (soFar, [name, choices]) =>
      soFar.flatMap((labels) => choices.map((choice) => ({ ...labels, [name]: choice }))),
    [{}],
  );
}
