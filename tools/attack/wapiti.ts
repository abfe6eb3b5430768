import { writeFileSync } from "node:fs";
import routes from "~/routes";
import { CODE_STEPS } from "../../tests/account-steps";
import { ANNA } from "../../tests/demo-customers";
import { Visitor } from "../../tests/visitor";
import { startCollector } from "./collector";
import type { Aim, Ground, Opened } from "./known-tools";
import { readWapiti } from "./wapiti-report";

const SESSION_LAYOUT = "shell/session-layout.tsx";

/** Addresses that would end the session, or only change the language. */
const LEFT_OUT = ["/home/logout", "/language/en", "/language/pl"];

/** A scan: where it begins, and with whose cookies. */
interface Scan {
  readonly name: string;
  readonly starts: readonly string[];
  /** At least one of these forms must have been answered with 400. */
  readonly forms: readonly string[];
  /** Takes a new browser there. */
  readonly arrive: (ground: Ground) => Promise<Visitor>;
  /** The page that only this visitor sees. */
  readonly own: string;
}

/** The screens of visitors without a session, and those of a session, as far as an address alone names them. */
const STARTS = screensOf((file) => file !== SESSION_LAYOUT);
const SESSION_STARTS = screensOf((file) => file === SESSION_LAYOUT);
/**
 * The journeys of a customer. Until a code was sent their screens are one button, which wapiti takes for no form; and a
 * browser is in one journey at a time. So each has a scan of its own.
 */
const SIGNED_IN = ["change-password", "change-login", "create-document-password"] as const;

const SCANS: readonly Scan[] = [
  {
    name: "signed out",
    starts: STARTS,
    forms: STARTS,
    arrive: async ({ topology }) => {
      const visitor = new Visitor(topology);
      await visitor.accept();
      return visitor;
    },
    own: "/home",
  },
  {
    name: "sign-in code",
    starts: ["/home/mfa"],
    forms: ["/home/mfa"],
    arrive: async ({ topology }) => {
      const visitor = new Visitor(topology);
      await visitor.begin(ANNA);
      return visitor;
    },
    own: "/home/mfa",
  },
  ...SIGNED_IN.map((name): Scan => {
    const { path, arrive } = CODE_STEPS[name];
    return {
      name: `signed in, ${name}`,
      starts: [path, ...SESSION_STARTS.filter((start) => start !== path)],
      forms: [path],
      arrive: async ({ topology, customer }) => (await arrive(topology, customer)).visitor,
      own: "/cp",
    };
  }),
];

/** Crawls and attacks pages and forms. */
export const WAPITI_AIMS: readonly Aim[] = SCANS.map((scan) => ({
  attack: `wapiti, ${scan.name}`,
  open: (ground) => openScan(scan, ground),
}));

async function openScan({ starts, forms, arrive, own }: Scan, ground: Ground): Promise<Opened> {
  const { origin } = ground.topology;
  const visitor = await arrive(ground);
  const cookies = `${ground.file}.cookies.json`;
  writeFileSync(cookies, cookieFile(visitor));
  const collector = await startCollector();
  return {
    args: [
      ...["-u", `${origin}/`, "-c", cookies, "-H", `Origin: ${origin}`],
      ...starts.flatMap((path) => ["-s", `${origin}${path}`]),
      ...LEFT_OUT.flatMap((path) => ["-x", `${origin}${path}`]),
      // By default it collects a victim's requests at its authors' server.
      ...["--endpoint", collector.url],
    ],
    session: { ask: async () => String((await visitor.twin().get(own)).status), answer: "200" },
    judge: (report, requests) => {
      const refused = requests.filter(
        ({ method, path, status }) => method === "POST" && status === 400 && forms.includes(path),
      );
      const answered = [...new Set(refused.map(({ path }) => path))].join(", ");
      return {
        findings: [
          ...(report === "" ? [] : readWapiti(report)),
          ...collector.visits().map((url) => `a portal asked the attacker's server for ${url}`),
        ],
        notes: [`forms that answered: ${answered || "none"}`],
        ...(refused.length === 0 && { notReached: "no form was ever reached" }),
      };
    },
    stop: collector.stop,
  };
}

/** The paths of the journeys' screens, in a layout or outside. */
function screensOf(isIn: (layout: string | undefined) => boolean): readonly string[] {
  return Array.from(routes)
    .flatMap((one) =>
      (one.children ?? [one]).map((screen) => ({ ...screen, layout: one.children && one.file })),
    )
    .filter(({ file, layout }) => file.startsWith("journeys/") && isIn(layout))
    .flatMap(({ path }) => (path === undefined || path.includes(":") ? [] : [`/${path}`]))
    .filter((path) => !LEFT_OUT.includes(path));
}

/** wapiti's own format. */
function cookieFile({ cookies }: Visitor): string {
  const more = { expires: null, secure: true, port: null, version: 0 };
  const all = [...cookies].map(([name, value]) => [name, { value, ...more }] as const);
  return JSON.stringify({ "127.0.0.1": { "/": Object.fromEntries(all) } });
}
