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
