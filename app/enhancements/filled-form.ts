// Without it: the button is never disabled, and the server says which field is empty.
import { useEffect, useState } from "react";

/** Whether a required field is still empty (specification §2, Register); false until hydration. */
export function useEmptyFields(formId: string): boolean {
  const [empty, setEmpty] = useState(false);
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const update = () => {
      setEmpty(
        [...form.querySelectorAll("input")].some(({ required, value }) => required && value.trim() === ""),
      );
    };
    update();
    form.addEventListener("input", update);
    return () => {
      form.removeEventListener("input", update);
    };
  }, [formId]);
  return empty;
}
