// Without it: there is no button; passwords and codes stay hidden.
import { useEffect, useState, type RefObject } from "react";

/** The words of the toggle; the longer ones name the field. */
interface ShowToggleWords {
  readonly show: string;
  readonly hide: string;
  readonly showField: string;
  readonly hideField: string;
  readonly shown: string;
  readonly hidden: string;
}

/** Shows and hides the value of a password field (C-19). Hides it again when the form is sent or the page is left. */
export function ShowToggle({
  inputRef,
  words,
}: {
  readonly inputRef: RefObject<HTMLInputElement>;
  readonly words: ShowToggleWords;
}) {
  const [shown, setShown] = useState<boolean>();
  // We announce only what people asked for, not the hiding on submit.
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    setShown(false);
    const form = inputRef.current?.form;
    const hide = () => {
      setShown(false);
      setAnnounced("");
    };
    // In the capture phase, so that a password manager sees a password field when it reads the form.
    form?.addEventListener("submit", hide, true);
    window.addEventListener("pagehide", hide);
    return () => {
      form?.removeEventListener("submit", hide, true);
      window.removeEventListener("pagehide", hide);
    };
  }, [inputRef]);
  useEffect(() => {
    if (inputRef.current && shown !== undefined) inputRef.current.type = shown ? "text" : "password";
  }, [inputRef, shown]);

  if (shown === undefined) return null;
  return (
    <>
      <button
        type="button"
        aria-controls={inputRef.current?.id}
        aria-label={shown ? words.hideField : words.showField}
        onClick={() => {
          setShown(!shown);
          setAnnounced(shown ? words.hidden : words.shown);
        }}
        className="absolute right-1 top-1 min-h-button-md rounded-control px-3 text-sm font-semibold text-link underline"
      >
        {shown ? words.hide : words.show}
      </button>
      <span role="status" className="sr-only">
        {announced}
      </span>
    </>
  );
}
