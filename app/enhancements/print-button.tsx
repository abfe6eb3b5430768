// Without it: there is no button; the browser's own menu prints the page.
import { useEffect, useState } from "react";
import { LinkButton } from "~/ui/text-link";

/** Prints the page. Shown only if the browser can. */
export function PrintButton({ children }: { readonly children: string }) {
  const [canPrint, setCanPrint] = useState(false);
  useEffect(() => {
    // Absent in browsers inside other apps, whatever the types say.
    setCanPrint("print" in window);
  }, []);
  if (!canPrint) return null;
  return (
    <LinkButton
      type="button"
      onClick={() => {
        window.print();
      }}
    >
      {children}
    </LinkButton>
  );
}
