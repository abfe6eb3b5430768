// Without it: the browser shows its own page when the portal can't be reached, and going back leads to the form.
import { all, alone, on, partsFor } from "./page";
import { leadsToPage } from "./requests";

let hasFailedOnline = false;

/** Whether scripts failed although the browser is online: the next press is the browser's own, which may get through. */
export function isLeftToBrowser(): boolean {
  return hasFailedOnline && navigator.onLine;
}

/** Says that the portal can't be reached, and keeps the page (F14). In an open dialog, if any: it covers the rest. */
export function showLostConnection(): void {
  forgetLostConnection();
  hasFailedOnline ||= navigator.onLine;
  const [part] = partsFor("lost");
  const place = document.querySelector("dialog[data-modal][open]") ?? document.querySelector("main");
  if (!part || !place) return;
  place.prepend(part.copy());
  place.querySelector<HTMLElement>("[role=alert]")?.focus();
}

/** Takes the alert away: the next request shows whether the connection is back. */
export function forgetLostConnection(): void {
  for (const alert of all("#lost-connection")) alert.parentElement?.remove();
}

/** Keeps the page when a link is followed without a connection. */
export function startLostConnection(): void {
  on("click", (event, target) => {
    const link = target.closest("a");
    if (navigator.onLine || !link || event.defaultPrevented || !leadsToPage(link, event)) return;
    event.preventDefault();
    alone(showLostConnection);
  });
}
