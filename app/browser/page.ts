// Shared by enhancements: the arrival of a page, its texts, and the parts that the server made for scripts.
import type { PageWords } from "~/contract/rules/page";

const onArrivals: ((root: ParentNode) => void)[] = [];

/** Runs an enhancement on the page as it is now, and again on each part of a page that is shown in place. */
export function onArrival(enhance: (root: ParentNode) => void): void {
  onArrivals.push(enhance);
  enhance(document);
}

/** Tells all enhancements about a new part of the page. If one fails, the others still run. */
export function arrived(root: ParentNode): void {
  for (const enhance of onArrivals) alone(() => enhance(root));
}

/** Runs something whose failure must not stop what comes after it. The browser reports the error as usual. */
export function alone(run: () => void): void {
  try {
    run();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

/** Listens on the document, so that elements shown in place later are heard, too. */
export function on<Name extends keyof DocumentEventMap>(
  name: Name,
  hear: (event: DocumentEventMap[Name], target: Element) => void,
  capture = false,
): void {
  document.addEventListener(
    name,
    (event) => {
      if (event.target instanceof Element) hear(event, event.target);
    },
    capture,
  );
}

/** Listens for everything that may change a field's value: typing, pasting, password managers. */
export function onValue(hear: (input: HTMLInputElement) => void): void {
  const note = (_event: Event, target: Element) => {
    if (target instanceof HTMLInputElement) hear(target);
  };
  on("input", note);
  on("change", note);
}

/** The texts of the page. */
export function words(): PageWords {
  return JSON.parse(document.body.dataset["words"] ?? "{}") as PageWords;
}

/** A part that the server made for scripts alone (ui/for-scripts.tsx): its place, and a function that copies it. */
export interface PartForScripts {
  readonly place: HTMLElement;
  /** The texts of the enhancement. */
  readonly said: string;
  readonly copy: () => DocumentFragment;
}

/** Finds the parts with a name. */
export function partsFor(name: string, root: ParentNode = document): readonly PartForScripts[] {
  return all(`[data-for-scripts=${name}]`, root).map((place) => ({
    place,
    said: place.dataset["said"] ?? "",
    copy: () => {
      const template = document.createElement("template");
      template.innerHTML = place.dataset["html"] ?? "";
      return template.content;
    },
  }));
}

/** All HTML elements that match. */
export function all(selector: string, root: ParentNode = document): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)];
}

/** Sets an attribute, or removes it. */
export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined || value === "") element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Switches a button off without taking its focus away, or on again. */
export function setOff(button: Element, off: boolean): void {
  setAttribute(button, "aria-disabled", off ? "true" : undefined);
}
