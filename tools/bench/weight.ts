import { brotliCompressSync, constants } from "node:zlib";
import { chromium, type Browser, type Request } from "@playwright/test";
import { KRYSTYNA } from "../../tests/demo-customers";
import { outboxAt } from "../../tests/portal";
import { Visitor } from "../../tests/visitor";
import { cookieHeader, startPortal, VISITOR, withDataDir } from "./portal";
import { getRaw } from "../../tests/raw-answer";
import type { Row, Target } from "./row";
import { slowPhoneRows } from "./slow-phone";

const KB = 1024;
/** A screen to weigh, and the most it may weigh, in KB. */
interface Screen {
  readonly name: string;
  readonly path: string;
  readonly mostPage: { readonly best: number; readonly sent: number };
  /** Takes a browser there, from the consent to cookies on. */
  readonly reach: (visitor: Visitor) => Promise<unknown>;
}

const LOGIN: Screen = {
  name: "login page",
  path: "/home",
  mostPage: { best: 9, sent: 10 },
  reach: (visitor) => visitor.accept(),
};

/** The heaviest screen. */
const SET_PASSWORD: Screen = {
  name: "set-password",
  path: "/home/set-password",
  mostPage: { best: 16, sent: 16 },
  reach: async (visitor) => {
    await visitor.accept();
    await visitor.post("/home/register", { policyNo: KRYSTYNA.policyNo, pid: KRYSTYNA.pid });
  },
};

/** The most that the scripts of any page may weigh, in KB. */
const MOST_SCRIPT_KB = { best: 11.5, sent: 12 };
const ICON = "/favicon.svg";
/** Of a first visit: the page, its script, the heading face and icons. */
const MOST_REQUESTS = { on: 5, off: 3 };
const MOST_VISIT_KB = 38;
const MOST_FACE_KB = 20;

/** The requests of a browser's first visit. */
interface Visit {
  readonly requests: readonly { readonly type: string; readonly path: string }[];
}

/** The bytes that a first visit loads: as few as brotli can make them (quality 11), and as the server sends them. */
export async function benchWeight(): Promise<readonly Row[]> {
  return withDataDir(async (dataDir) => {
    const portal = await startPortal(dataDir);
    const browser = await chromium.launch({
      ...(process.env["CHROMIUM_PATH"] && { executablePath: process.env["CHROMIUM_PATH"] }),
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });
    const login = await weighScreen(browser, portal.port, LOGIN);
    const setPassword = await weighScreen(browser, portal.port, SET_PASSWORD);
    const slowPhone = [
      ...(await onSlowPhone(browser, portal.port, LOGIN, "username")),
      ...(await onSlowPhone(browser, portal.port, SET_PASSWORD, "newPassword")),
    ];
    await browser.close();
    await portal.stop();
    return [
      ...pageRows(LOGIN, login),
      ...scriptRows(LOGIN, login),
      ...requestRows(login),
      ...pageRows(SET_PASSWORD, setPassword),
      ...scriptRows(SET_PASSWORD, setPassword),
      ...slowPhone,
    ];
  });
}

async function onSlowPhone(browser: Browser, port: number, { name, path, reach }: Screen, field: string) {
  const visitor = new Visitor({ port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) });
  await reach(visitor);
  return slowPhoneRows(browser, {
    name,
    field,
    cookies: visitor.cookies,
    url: `http://127.0.0.1:${port}${path}`,
  });
}

/** Compressed bytes. */
interface Weight {
  readonly best: number;
  readonly sent: number;
}

/** The weight of a screen, and the requests of a browser that shows it. */
interface WeighedScreen {
  readonly page: Weight;
  readonly face: Weight;
  readonly icons: Weight;
  readonly scripts: Weight;
  readonly withScripts: Visit;
  readonly without: Visit;
}

async function weighScreen(browser: Browser, port: number, { path, reach }: Screen): Promise<WeighedScreen> {
  const visitor = new Visitor({ port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) });
  await reach(visitor);
  const visits = (scripts: boolean) => visit(browser, { port, path, cookies: visitor.cookies, scripts });
  const withScripts = await visits(true);
  const Cookie = cookieHeader(visitor);
  const weighAll = (paths: readonly string[]) => weigh(port, paths, { ...VISITOR, Cookie });
  return {
    page: await weighAll([path]),
    face: await weighAll(pathsOf(withScripts, "font")),
    icons: await weighAll([ICON]),
    scripts: await weighAll(pathsOf(withScripts, "script")),
    withScripts,
    without: await visits(false),
  };
}

function pageRows({ name, mostPage }: Screen, { page }: WeighedScreen): readonly Row[] {
  const { best, sent } = mostPage;
  return [
    { name: `${name}: HTML + CSS, brotli 11`, unit: "KB", measured: page.best / KB, target: atMost(best) },
    { name: `${name}: HTML + CSS, as sent`, unit: "KB", measured: page.sent / KB, target: atMost(sent) },
  ];
}

function scriptRows({ name }: Screen, { scripts }: WeighedScreen): readonly Row[] {
  const { best, sent } = MOST_SCRIPT_KB;
  return [
    { name: `${name}: JavaScript, brotli 11`, unit: "KB", measured: scripts.best / KB, target: atMost(best) },
    { name: `${name}: JavaScript, as sent`, unit: "KB", measured: scripts.sent / KB, target: atMost(sent) },
  ];
}

function requestRows({ page, face, icons, scripts, withScripts, without }: WeighedScreen): readonly Row[] {
  const pictures = [withScripts, without].flatMap(({ requests }) =>
    requests.filter(({ type, path }) => (type === "image" || type === "media") && path !== ICON),
  );
  const row = (name: string, { requests }: Visit, most: number): Row => ({
    name,
    unit: "",
    measured: requests.length,
    target: { of: "measured", bound: "at most", value: most },
    note: `${countByType(requests)}; a page waits for the document only`,
  });
  return [
    row("login page: requests, scripts on", withScripts, MOST_REQUESTS.on),
    row("login page: requests, scripts off", without, MOST_REQUESTS.off),
    {
      name: "login page: all of a first visit, as sent",
      unit: "KB",
      measured: sum([page, scripts, face, icons].map(({ sent }) => sent)) / KB,
      target: atMost(MOST_VISIT_KB),
      note: "page, script, heading face and icons",
    },
    {
      name: "login page: images",
      unit: "",
      measured: pictures.length,
      target: { of: "measured", bound: "at most", value: 0 },
    },
    {
      name: "login page: heading face, as sent",
      unit: "KB",
      measured: face.sent / KB,
      target: atMost(MOST_FACE_KB),
    },
  ];
}

/** "1 document, 1 script, 1 font" */
function countByType(requests: Visit["requests"]): string {
  const types = [...new Set(requests.map(({ type }) => type))];
  return types
    .map((type) => `${requests.filter((request) => request.type === type).length} ${type}`)
    .join(", ");
}

/** A page to open, and how. */
interface Opening {
  readonly port: number;
  readonly path: string;
  readonly cookies: ReadonlyMap<string, string>;
  readonly scripts: boolean;
}

/** Opens a page with an empty cache and waits until the network is idle. */
async function visit(browser: Browser, { port, path, cookies, scripts }: Opening): Promise<Visit> {
  const context = await browser.newContext({ javaScriptEnabled: scripts, locale: "pl-PL" });
  const url = `http://127.0.0.1:${port}${path}`;
  await context.addCookies(
    [...cookies].map(([name, value]) => ({ name, value, url: new URL("/", url).href })),
  );
  const page = await context.newPage();
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.goto(url, { waitUntil: "networkidle" });
  if (new URL(page.url()).pathname !== path) throw new Error(`${path} leads to ${page.url()}`);
  await context.close();
  return {
    requests: requests.map((request) => ({
      type: request.resourceType(),
      path: new URL(request.url()).pathname,
    })),
  };
}

function pathsOf({ requests }: Visit, type: string): readonly string[] {
  return [...new Set(requests.filter((request) => request.type === type).map(({ path }) => path))];
}

async function weigh(
  port: number,
  paths: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Weight> {
  const plain = await Promise.all(
    paths.map((path) => getRaw(port, path, { ...headers, "Accept-Encoding": "identity" })),
  );
  const sent = await Promise.all(paths.map((path) => getRaw(port, path, headers)));
  return {
    best: sum(plain.map(({ body }) => packed(body))),
    sent: sum(sent.map(({ body }) => body.length)),
  };
}

function packed(bytes: Uint8Array): number {
  return brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length;
}

function atMost(kilobytes: number): Target {
  return { of: "measured", bound: "at most", value: kilobytes };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
