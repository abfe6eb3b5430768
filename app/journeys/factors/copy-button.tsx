import { Button } from "~/ui/button";
import { ForScripts } from "~/ui/for-scripts";

/** Copies a value that stands on the page, where scripts run; a status line says so. */
export function CopyButton({
  value,
  copy,
  copied,
}: {
  readonly value: string;
  readonly copy: string;
  readonly copied: string;
}) {
  return (
    <div>
      <input type="hidden" value={value} />
      <ForScripts name="copy" said={copied}>
        <Button type="button" variant="secondary" wide={false}>
          {copy}
        </Button>
      </ForScripts>{" "}
      <span role="status" className="text-sm" />
    </div>
  );
}
