import { useTexts } from "~/i18n/use-texts";
import { Button } from "~/ui/button";
import { ForScripts } from "~/ui/for-scripts";

/** Copies a value that stands on the page, where scripts run; a status line says so. */
export function CopyButton({ value, copied }: { readonly value: string; readonly copied: string }) {
  const t = useTexts();
  return (
    <div>
      <input type="hidden" value={value} />
      <ForScripts name="copy" said={copied}>
        <Button type="button" variant="secondary" wide={false}>
          {t("common:action.copy")}
        </Button>
      </ForScripts>{" "}
      <span role="status" className="text-sm" />
    </div>
  );
}
