// Without it: there is no button; people select the text.
import { useEffect, useState } from "react";
import { Button } from "~/ui/button";

/** Copies a text, and says so. Shown only if the browser can copy. */
export function CopyButton({
  text,
  copy,
  copied,
}: {
  readonly text: string;
  readonly copy: string;
  readonly copied: string;
}) {
  const [state, setState] = useState<"unknown" | "ready" | "copied">("unknown");
  useEffect(() => {
    // Absent over plain http and in old browsers, whatever the types say.
    if ("clipboard" in navigator) setState("ready");
  }, []);
  if (state === "unknown") return null;
  const write = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      // Not allowed: people can still select the text.
      setState("unknown");
    }
  };
  return (
    <p className="mt-2">
      <Button type="button" variant="secondary" wide={false} onClick={() => void write()}>
        {copy}
      </Button>{" "}
      <span role="status" className="text-sm">
        {state === "copied" ? copied : ""}
      </span>
    </p>
  );
}
