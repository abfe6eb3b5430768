import { Picture } from "./frame";

/** One too many: two windows, one before the other. */
export function TwoTabsPicture() {
  return (
    <Picture>
      <rect className="art-main" x="34" y="34" width="88" height="68" rx="8" />
      <path className="art-line" d="M34 52h88" />
      <rect className="art-line" x="34" y="34" width="88" height="68" rx="8" />
      <rect className="art-paper" x="74" y="58" width="92" height="74" rx="8" />
      <path className="art-accent" d="M74 76V66a8 8 0 0 1 8-8h76a8 8 0 0 1 8 8v10z" />
      <path className="art-line" d="M74 76h92M90 94h44M90 108h60" />
      <rect className="art-line" x="74" y="58" width="92" height="74" rx="8" />
    </Picture>
  );
}
