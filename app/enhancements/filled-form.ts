// Without it: the button is never off, and the server says which field is empty.
import { useEffect, useState } from "react";

/** Whether a field that must be filled is still empty (specification §2, Register); unknown until the page is alive. */
export function useEmptyFields(formId: string): boolean {
  const [empty, setEmpty] = useState(false);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const look = () => {
      setEmpty(
        [...form.querySelectorAll("input")].some(({ required, value }) => required && value.trim() === ""),
      );
    };
    look();
    form.addEventListener("input", look);
    return () => {
      form.removeEventListener("input", look);
    };
  }, [formId]);
  return empty;
}
