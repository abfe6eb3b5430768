// Without it: the browser itself shows that a page is loading.
import { all, on, setAttribute, words } from "./page";

/** Quicker answers need no announcement (C-14), in ms. */
const ANNOUNCE_MS = 300;
/** After this long people begin to doubt, in ms. */
const SLOW_MS = 8000;
/** "Loading indicator removal delay" (specification §9), in ms. */
const REMOVE_MS = 100;
/** A page that hasn't arrived by then may be a download, in ms. */
const NAVIGATION_MS = 10_000;
/** The same after a form, in ms: it leads to no download, and every proxy has given up by then. */
const FORM_NAVIGATION_MS = 180_000;

/** The "global count of requests in flight" (specification §3); a navigation counts, too. */
let inFlight = 0;
let endNavigation: (() => void) | undefined;
let announcements: readonly ReturnType<typeof setTimeout>[] = [];
const answerListeners: (() => void)[] = [];

/** Shows the spinner over the whole page while any request is under way (specification §2, §7). It takes no focus. */
export function startSpinner(): void {
  on("click", (event, target) => {
    const link = target.closest("a");
    if (link && !event.defaultPrevented && leadsToPage(link, event)) beginNavigation();
  });
  on("submit", (event) => {
    if (!event.defaultPrevented && !isNavigating()) beginNavigation();
  });
  on("keydown", ({ key }) => {
    if (key === "Escape") endNavigation?.();
  });
  addEventListener("pageshow", () => endNavigation?.());
}

/** Whether the browser is leaving for another page of the portal. */
export function isNavigating(): boolean {
  return endNavigation !== undefined;
}

/** Calls back after each answer of the portal. */
export function onAnswer(listener: () => void): void {
  answerListeners.push(listener);
}

/** An answer from the portal, read to its end. */
export interface Answer {
  readonly text: string;
  /** The target of a redirect. */
  readonly location: string | undefined;
}

/**
 * Sends a request to the portal. Rejects if the answer is incomplete or a proxy's: that has no `X-Request-Id`. A proxy
 * may also remove the address from a redirect (docs/operations/production.md).
 */
export async function ask(address: string, init: RequestInit = {}): Promise<Answer> {
  const end = begin();
  try {
    const headers = { "X-Portal-Form": "1" };
    const answer = await fetch(address, { cache: "no-store", headers, ...init });
    const text = await answer.text();
    if (!answer.headers.has("X-Request-Id")) throw new Error("Not an answer of the portal");
    const target = answer.headers.get("X-Location") ?? undefined;
    if (answer.status === 204 && target === undefined) throw new Error("A redirect without its address");
    for (const listener of answerListeners) listener();
    return { text, location: target };
  } finally {
    end();
  }
}

interface NavigateOptions {
  /** Whether Back skips the current page. */
  readonly replace?: boolean;
  /** After a form: called if the page stays after all. */
  readonly ended?: () => void;
}

/** Opens an address as a new page, without its fragment: with one, the current address would only scroll. */
export function navigate(address: string, { replace = false, ended }: NavigateOptions = {}): void {
  const url = new URL(address, location.href);
  url.hash = "";
  beginNavigation(ended);
  if (replace) location.replace(url);
  else location.assign(url);
}

/** @param ended after a form: called if the page stays after all */
export function beginNavigation(ended?: () => void): void {
  endNavigation?.();
  const end = begin();
  const timer = setTimeout(() => endNavigation?.(), ended ? FORM_NAVIGATION_MS : NAVIGATION_MS);
  endNavigation = () => {
    clearTimeout(timer);
    endNavigation = undefined;
    end();
    ended?.();
  };
}

function begin(): () => void {
  inFlight += 1;
  showSpinner();
  return () => {
    inFlight -= 1;
    setTimeout(showSpinner, REMOVE_MS);
  };
}

/** Shows the spinner on the current page, or removes it. */
export function showSpinner(): void {
  const busy = inFlight > 0;
  const main = document.querySelector("main");
  if (main) setAttribute(main, "aria-busy", busy ? "true" : undefined);
  const [spinner] = all("[data-spinner]");
  if (!spinner || spinner.classList.contains("spinner") === busy) return;
  const say = (text: string) => {
    const status = spinner.querySelector("[role=status]");
    if (status) status.textContent = text;
  };
  spinner.classList.toggle("spinner", busy);
  announcements.forEach(clearTimeout);
  say("");
  const { wait, slow } = words();
  announcements = busy ? [setTimeout(say, ANNOUNCE_MS, wait), setTimeout(say, SLOW_MS, slow)] : [];
}

/** Whether following a link replaces this page with another one of the portal. */
export function leadsToPage(link: HTMLAnchorElement, event: MouseEvent): boolean {
  if (link.target || link.hasAttribute("download") || link.origin !== location.origin) return false;
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  const isHere = link.pathname + link.search === location.pathname + location.search;
  return !(isHere && link.href.includes("#"));
}
