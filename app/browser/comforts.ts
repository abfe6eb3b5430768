// Without it: secrets stay hidden, nothing is copied or printed by a button, and a button never waits for its fields.
import { LABEL } from "~/contract/rules/page";
import { all, on, onArrival, onValue, partsFor, setOff, words } from "./page";
import { isSending } from "./send-form";

/** A button in each secret field shows and hides its characters (C-19). They are hidden when the form is sent. */
export function startShowToggle(): void {
  onArrival((root) => {
    const [toggle] = partsFor("show-toggle");
    for (const input of all("input[data-secret]", root)) {
      if (toggle && !input.parentElement?.querySelector("[data-show-toggle]")) input.after(toggle.copy());
      setShown(input, false);
    }
  });
  on("click", (_event, target) => {
    const input = target.closest("[data-show-toggle]")?.parentElement?.querySelector("input");
    if (!input) return;
    const isShown = input.type === "password";
    setShown(input, isShown);
    // Only a press of the button is announced, not the hiding when the form is sent.
    sayBeside(input, isShown ? words().shown : words().hidden);
  });
  const hideAll = () => {
    for (const input of all("input[data-secret][type=text]")) {
      setShown(input, false);
      sayBeside(input, "");
    }
  };
  // In the capture phase, so that a password manager sees a password field when it reads the form.
  on("submit", hideAll, true);
  addEventListener("pagehide", hideAll);
}

function setShown(input: HTMLElement, isShown: boolean): void {
  const button = input.parentElement?.querySelector("[data-show-toggle]");
  const { show, hide, showField, hideField } = words();
  input.setAttribute("type", isShown ? "text" : "password");
  if (!button) return;
  button.textContent = isShown ? hide : show;
  button.setAttribute("aria-controls", input.id);
  const label = (isShown ? hideField : showField).replace(LABEL, () => input.dataset["secret"] ?? "");
  button.setAttribute("aria-label", label);
}

function sayBeside(input: HTMLElement, text: string): void {
  const status = input.parentElement?.querySelector("[role=status]");
  if (status) status.textContent = text;
}

/** Tells people that Caps Lock is on while they type into a secret field. */
export function startCapsLock(): void {
  const update = (event: Event, target: Element) => {
    const hint = target.closest("[data-field]")?.querySelector("[data-caps-lock]");
    // Only a key removes the hint: if leaving the field did, the button being pressed would move. A password manager
    // fires "key events" that aren't KeyboardEvents.
    if (!hint || !target.matches("input[data-secret]") || !(event instanceof KeyboardEvent)) return;
    hint.textContent = event.getModifierState("CapsLock") ? words().capsLock : "";
  };
  on("keydown", update);
  on("keyup", update);
}

/** In milliseconds. */
const SAID_FOR = 5000;

/** Starts buttons that copy their value and say so for a while, and buttons that print the page. */
export function startCopyAndPrint(): void {
  onArrival((root) => {
    // Either may be missing: over plain http, and in browsers inside other apps.
    const canDo = { copy: "clipboard" in navigator, print: "print" in window };
    for (const [name, can] of Object.entries(canDo))
      for (const { place, copy } of can ? partsFor(name, root) : [])
        if (!place.firstChild) place.append(copy());
  });
  let status: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (text = "") => {
    if (status) status.textContent = text;
  };
  on("click", (_event, target) => {
    const button = target.closest("button");
    const place = button?.closest<HTMLElement>("[data-for-scripts]");
    if (!button || !place) return;
    const { forScripts, said } = place.dataset;
    if (forScripts === "print") print();
    if (forScripts !== "copy") return;
    // Clears this button's message, too, so that a second press is announced again.
    say();
    clearTimeout(timer);
    status = place.nextElementSibling;
    navigator.clipboard.writeText(button.value).then(
      () => {
        say(said);
        timer = setTimeout(say, SAID_FOR);
      },
      // Not allowed: people can still select the text.
      () => place.remove(),
    );
  });
}

/** A button is off until every required field is filled (specification §2, Register). */
export function startWaitForFields(): void {
  const update = (button: HTMLElement) => {
    const inputs = [...(button.closest("form")?.querySelectorAll("input") ?? [])];
    if (!isSending())
      setOff(
        button,
        inputs.some(({ required, value }) => required && value.trim() === ""),
      );
  };
  const updateAll = (root: ParentNode) => {
    for (const button of all("[data-waits-for-fields]", root)) update(button);
  };
  onArrival(updateAll);
  onValue(({ form }) => {
    if (form) updateAll(form);
  });
  // A value may change without an event.
  for (const name of ["focusin", "mouseover"] as const)
    on(name, (_event, target) => {
      const form = target.closest("form");
      if (form) updateAll(form);
    });
}
