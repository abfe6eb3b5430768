import { useRef, type RefObject } from "react";
import { CapsLockHint } from "~/enhancements/caps-lock";
import { ShowToggle } from "~/enhancements/show-toggle";
import { TextField, type TextFieldProps } from "~/ui/text-field";

/** The words of the show/hide toggle; `{{label}}` stands for the field's name. */
export interface SecretWords {
  readonly show: string;
  readonly hide: string;
  readonly showChars: string;
  readonly hideChars: string;
  readonly charsShown: string;
  readonly charsHidden: string;
  readonly capsLock: string;
}

/** A field that hides its characters until the visitor shows them: passwords, codes, personal identifiers. */
export function SecretField({
  secret,
  inputRef,
  ...field
}: TextFieldProps & { readonly secret: SecretWords; readonly inputRef?: RefObject<HTMLInputElement> }) {
  const own = useRef<HTMLInputElement>(null);
  const ref = inputRef ?? own;
  const words = {
    show: secret.show,
    hide: secret.hide,
    showField: secret.showChars.replace("{{label}}", field.label),
    hideField: secret.hideChars.replace("{{label}}", field.label),
    shown: secret.charsShown,
    hidden: secret.charsHidden,
  };
  return (
    <TextField {...field} ref={ref} type="password" trailing={<ShowToggle inputRef={ref} words={words} />}>
      {!field.code && <CapsLockHint inputRef={ref} text={secret.capsLock} />}
      {field.children}
    </TextField>
  );
}
