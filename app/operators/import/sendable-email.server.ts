import { domainToASCII } from "node:url";

const LONGEST = 254;
const LONGEST_LOCAL_PART = 64;
/** A dot-atom of RFC 5322. Quoted local parts are left out: hardly any mail server takes them. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = "[a-z\\d]([a-z\\d-]{0,61}[a-z\\d])?";
/** At least two labels, the last of which isn't a number, so that it is no IP address. */
const DOMAIN = new RegExp(`^(${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "i");
const ASCII = /^[\0-\x7F]*$/;

/**
 * The address in the form in which an e-mail is sent to it: an internationalized domain as punycode. Undefined if none
 * can be sent, as with letters beyond ASCII before the @, which need servers with SMTPUTF8.
 */
export function sendableEmail(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf("@");
  const [localPart, typed] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  // An ASCII domain keeps its capitals: a stored address must not change by itself.
  const domain = ASCII.test(typed) ? typed : domainToASCII(typed);
  const email = `${localPart}@${domain}`;
  const isSendable =
    LOCAL_PART.test(localPart) &&
    localPart.length <= LONGEST_LOCAL_PART &&
    DOMAIN.test(domain) &&
    email.length <= LONGEST;
  return isSendable ? email : undefined;
}
