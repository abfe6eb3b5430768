// Without it: browsers that keep no page in memory ask the server anyway (every page is `no-store`).
import { isLeftToBrowser, showLostConnection } from "./lost-connection";
import { on } from "./page";
import { ask, leadsToPage, navigate } from "./requests";
import { readPage, showBody } from "./show-page";

/**
 * Asks the server for the page on the screen. If it redirects, as after the end of a session, the browser leaves the
 * page (S55).
 * @param isShown whether the server's page replaces this one; typed values stay
 */
export async function askServer({ isShown }: { readonly isShown: boolean }): Promise<void> {
  try {
    const page = await ask(location.href);
    if (page.location !== undefined) navigate(page.location, { replace: true });
    else if (isShown && !document.querySelector("main [role=alert]"))
      showBody(readPage(page.text), { typed: "all" });
  } catch {
    // A page of a session must not stay unless the server says that it may.
    if (document.querySelector("[data-for-scripts=session-end]")) navigate(location.href, { replace: true });
  }
}

/** Asks the server again when the browser brings a page back from memory: it may be out of date. */
export function startFreshAfterReturn(): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void askServer({ isShown: true });
  });
}

/** Shows the page in another language, and keeps typed values except secrets (F17). */
export function startLanguage(): void {
  on("click", (event, target) => {
    const link = target.closest<HTMLAnchorElement>("a[hreflang]");
    if (!link || event.defaultPrevented || isLeftToBrowser() || !leadsToPage(link, event)) return;
    event.preventDefault();
    showInLanguage(link.href).catch(showLostConnection);
  });
}

async function showInLanguage(href: string): Promise<void> {
  const chosen = await ask(href);
  const page = await ask(chosen.location ?? href);
  if (page.location !== undefined) navigate(page.location);
  else showBody(readPage(page.text), { typed: "harmless" });
}

/** Unregisters any service worker (specification §9). */
export function endServiceWorkers(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .getRegistrations()
    .then((registrations) => Promise.all(registrations.map((registration) => registration.unregister())))
    // A browser that won't list them (private mode, opaque origin) has none.
    .catch(() => undefined);
}
