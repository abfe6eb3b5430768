// Without it: several tabs work side by side in one session; nothing is blocked.
import { closeModal, openModal } from "../dialogs";
import { askServer } from "../fresh-page";
import { on, onArrival, partsFor } from "../page";
import { watchTabs, type TabWatch } from "./tab-watch";

/** Not guarded: the demo outbox, and the page shown when the portal itself is down (form contract, "Demo mode"). */
const UNGUARDED = /^\/(demo|service)(\/|$)/;
const OVERLAY = "#second-tab";
/** Enough time for the first tab to answer and for a screen reader to finish reading the button, in ms. */
const ANNOUNCE_MS = 700;

let blocked = false;
let focused: Element | null = null;

/** Whether this tab is a second one, behind the overlay. */
export function isBlocked(): boolean {
  return blocked;
}

/**
 * Lets one tab at a time use the page. In a second tab the page is inert under an overlay until the first one closes
 * (specification §2, §4).
 */
export function startSingleTab(): void {
  if (UNGUARDED.test(location.pathname)) return;
  const watch = watchTabs((state) => {
    // A tab that checks again stays as it is until it knows.
    if (state === "Starting" || blocked === (state === "SecondTab")) return;
    blocked = state === "SecondTab";
    if (blocked) block();
    else unblock();
  });
  // A page shown in place arrives without the overlay.
  onArrival(() => {
    if (blocked) block();
  });
  on("click", (_event, target) => {
    if (target.closest(`${OVERLAY} [data-escape]`)) checkAgain(watch);
  });
}

function block(): void {
  const page = document.getElementById("page");
  const dialog = partsFor("second-tab")[0]?.copy().querySelector("dialog");
  if (!page || !dialog || document.querySelector(OVERLAY)) return;
  focused = document.activeElement;
  page.dataset["blocked"] = "";
  // In browsers without `inert` the stylesheet hides the page.
  if ("inert" in page) page.setAttribute("inert", "");
  dialog.id = OVERLAY.slice(1);
  document.body.append(dialog);
  openModal(dialog);
}

/** Gives the page back, unless the server now redirects elsewhere. */
function unblock(): void {
  const page = document.getElementById("page");
  const dialog = document.querySelector<HTMLDialogElement>(OVERLAY);
  page?.removeAttribute("data-blocked");
  page?.removeAttribute("inert");
  if (dialog) closeModal(dialog);
  if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
  void askServer({ isShown: false });
}

function checkAgain(watch: TabWatch): void {
  watch.check();
  // If the first tab answers late, the overlay goes away and comes back.
  const say = (text: string) => {
    const status = document.querySelector(`${OVERLAY} [role=status]`);
    if (status) status.textContent = text;
  };
  say("");
  setTimeout(() => {
    say(partsFor("second-tab")[0]?.said ?? "");
  }, ANNOUNCE_MS);
}
