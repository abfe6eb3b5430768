import { useTexts } from "~/i18n/use-texts";
import { Button } from "./button";
import { ForScripts } from "./for-scripts";

interface CopyButtonProps {
  readonly value: string;
  /** The sentence that says it was copied. */
  readonly copied: string;
  /** What is copied, for screen readers: where a page has several of these buttons. */
  readonly of?: string;
}

/**
 * Copies a value that stands on the page, where scripts run. A status line beside it says so for some seconds; its place is
 * kept, so that nothing moves.
 */
export function CopyButton({ value, copied, of }: CopyButtonProps) {
  const t = useTexts();
  return (
    <div>
      <ForScripts name="copy" said={copied}>
        <Button type="button" value={value} variant="secondary" wide={false}>
          {of === undefined ? (
            t("common:action.copy")
          ) : (
            <span>
              {t("common:action.copy")}
              <span className="sr-only">: {of}</span>
            </span>
          )}
        </Button>
      </ForScripts>{" "}
      <span role="status" className="ml-3 inline-block w-32 text-sm" />
    </div>
  );
}
