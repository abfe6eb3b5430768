import { Form } from "react-router-dom";
import { Button } from "~/ui/button";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";

/** The name of the query's parameter. */
export const SEARCH = "q";
/** In characters; no policy has a longer name. */
const MAX_TYPED = 100;

/** Finds policies by name or number, for customers who have many. It is a GET, so that reload and Back repeat it. */
export function PolicySearch({
  typed,
  words,
}: {
  readonly typed: string;
  readonly words: {
    readonly label: string;
    readonly hint: string;
    readonly submit: string;
    readonly all: string;
    /** The number of policies found, for screen readers too. */
    readonly found: string;
  };
}) {
  return (
    <Form method="get" action="/cp" className="mt-6 max-w-card">
      <div className="sm:flex sm:items-end">
        <div className="min-w-0 sm:flex-1">
          <TextField
            key={typed}
            id="policy-search"
            type="search"
            name={SEARCH}
            label={words.label}
            hint={words.hint}
            defaultValue={typed}
            maxLength={MAX_TYPED}
            autoComplete="off"
          />
        </div>
        <p className="mt-3 sm:ml-3">
          <Button type="submit" variant="secondary" size="large">
            {words.submit}
          </Button>
        </p>
      </div>
      <p role="status" className={typed ? "mt-3 font-semibold" : undefined}>
        {typed ? words.found : ""}
      </p>
      {typed && (
        <p>
          <TextLink to="/cp">{words.all}</TextLink>
        </p>
      )}
    </Form>
  );
}
