import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { environment } from "../config/environment.server";
import { withTimeout } from "../lifecycle/process.server";
import { BUILD, VERSION } from "../release.server";
import { errorOutput } from "./error-output.server";

let registry: Registry | undefined;

/** The registry of this process, in which each room registers its own metrics. */
export function metricsRegistry(): Registry {
  return (registry ??= makeRegistry());
}

/** All metrics in the Prometheus text format. */
export function metricsText(): Promise<string> {
  return metricsRegistry().metrics();
}

/** prom-client's sums of its own metrics: gauges named like counters, which promtool rejects. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

/** Starts Node's process metrics (memory, garbage collection, event loop delay), which take some work. */
export function watchProcess(): void {
  const watched = metricsRegistry();
  if (watched.getSingleMetric("nodejs_eventloop_lag_seconds")) return;
  collectDefaultMetrics({ register: watched });
  for (const name of MISNAMED) watched.removeSingleMetric(name);
}

function makeRegistry(): Registry {
  const made = new Registry();
  new Gauge({
    name: "portal_build_info",
    help: "Always 1; the labels say what runs",
    labelNames: ["version", "build", "node", "mode"],
    registers: [made],
    // Read at scrape time: operators' commands load this module too, perhaps without the portal's environment.
    collect() {
      const { PORTAL_MODE: mode } = environment();
      this.set({ version: VERSION, build: BUILD, node: process.versions.node, mode }, 1);
    },
  });
  new Counter({
    name: "portal_log_lines_dropped_total",
    help: "Log lines that could not be written, because the disk was full or nothing read them",
    registers: [made],
    collect() {
      this.reset();
      this.inc(errorOutput().dropped);
    },
  });
  return made;
}

/*
 * The kinds of metrics. Call these at the top level of the module that counts: then every series exists from the start,
 * at zero, and even the first event shows as a rise. Names follow Prometheus: the unit and `_total` come last. Label
 * values are a closed list, so that nothing a visitor sends becomes a series, and no series is about a person.
 */

/** The values that each label may have. An empty list means that they are known only once the server has loaded. */
type LabelValues = Readonly<Record<string, readonly string[]>>;
type LabelsOf<Values extends LabelValues> = { readonly [Name in keyof Values]: Values[Name][number] };

/** Counts events. */
interface CounterOf<Labels> {
  /** Adds one. */
  inc(labels: Labels): void;
}

/** Sorts durations into buckets. */
interface TimerOf<Labels> {
  observe(labels: Labels, seconds: number): void;
}

type Reading<Name extends string> = Readonly<Record<Name, number>>;
type Read<Name extends string> = () => Reading<Name> | Promise<Reading<Name>>;

/** Gauges read together at each scrape. */
export interface Levels<Name extends string> {
  /** Sets where the values come from. If `read` fails or takes over a second, they are unknown (NaN). */
  feed(read: Read<Name>): void;
}

interface Described {
  readonly name: string;
  readonly help: string;
}

const LOOK_UP_MS = 1000;

/** Registers a counter, with every series at zero. */
export function counter<const Values extends LabelValues>(
  { name, help }: Described,
  values: Values,
): CounterOf<LabelsOf<Values>> {
  const made = new Counter({ name, help, labelNames: Object.keys(values), registers: [registryFor(name)] });
  for (const labels of combinations(values)) made.inc(labels, 0);
  return made;
}

/** Registers a timer with these upper bounds, in seconds. */
export function timer<const Values extends LabelValues>(
  { name, help, buckets }: Described & { readonly buckets: readonly number[] },
  values: Values,
): TimerOf<LabelsOf<Values>> {
  const labelNames = Object.keys(values);
  const registers = [registryFor(name)];
  const made = new Histogram({ name, help, labelNames, buckets: [...buckets], registers });
  for (const labels of combinations(values)) made.zero(labels);
  return made;
}

/** Registers gauges that are read together. */
export function levels<Name extends string>(described: Readonly<Record<Name, Described>>): Levels<Name> {
  let read: Read<Name> | undefined;
  let lookingUp: Promise<Partial<Reading<Name>>> | undefined;
  const lookUp = () =>
    (lookingUp ??= readInTime(read).finally(() => {
      lookingUp = undefined;
    }));
  for (const key of Object.keys(described) as Name[]) {
    const { name, help } = described[key];
    new Gauge({
      name,
      help,
      registers: [registryFor(name)],
      async collect() {
        this.set((await lookUp())[key] ?? NaN);
      },
    });
  }
  return { feed: (from) => (read = from) };
}

/** Never throws. A hanging database must not take the metrics down with it. */
async function readInTime<Name extends string>(
  read: Read<Name> | undefined,
): Promise<Partial<Reading<Name>>> {
  if (!read) return {};
  const reading = await withTimeout(LOOK_UP_MS, Promise.resolve().then(read)).catch(() => undefined);
  return reading ?? {};
}

/**
 * When a development server reloads a module after an edit, its metric replaces the older one. In production a second
 * metric of the same name is a mistake, and prom-client refuses it.
 */
function registryFor(name: string) {
  const registry = metricsRegistry();
  if (process.env["NODE_ENV"] !== "production") registry.removeSingleMetric(name);
  return registry;
}

/** Every combination of label values; none if a label's values aren't listed. */
function combinations(values: LabelValues): Record<string, string>[] {
  return Object.entries(values).reduce<Record<string, string>[]>(
    (soFar, [name, choices]) =>
      soFar.flatMap((labels) => choices.map((choice) => ({ ...labels, [name]: choice }))),
    [{}],
  );
}
