import { TextField, type TextFieldProps } from "~/ui/text-field";

/** A field that hides its characters until the visitor shows them: passwords, codes, personal identifiers. */
export function SecretField(field: TextFieldProps) {
  return (
    <TextField {...field} type="password" secret autoCapitalize="none" autoCorrect="off" spellCheck={false}>
      {!field.code && <p role="status" data-caps-lock className="text-sm font-semibold text-accent-text" />}
      {field.children}
    </TextField>
  );
}

/**
 * The name under which password managers save a form's values: a read-only field off the screen, never sent (F10).
 * It stands before the first field of type password, or Firefox doesn't find it. With a name that isn't the customer's
 * username no saved password is filled in.
 */
export function SavedName({ name, section }: { readonly name: string; readonly section?: string }) {
  return (
    <input
      type="text"
      defaultValue={name}
      readOnly
      tabIndex={-1}
      aria-hidden
      autoComplete={section === undefined ? "username" : `section-${section} username`}
      className="sr-only"
    />
  );
}
