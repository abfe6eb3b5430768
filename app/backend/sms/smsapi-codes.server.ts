/** What to do about an SMSAPI.pl error. `alarm`: all messages wait until somebody fixes the account. */
type Verdict = "accepted" | "refused" | "later" | "alarm";

/** The errors that SMSAPI.pl documents for sending a single SMS, and what to do about each. */
export const SMSAPI_CODES: Readonly<Record<number, readonly [Verdict, string]>> = {
  8: ["alarm", "the request is malformed"],
  11: ["refused", "the text is empty, too long, or not in GSM-7"],
  12: ["refused", "the text has more parts than allowed"],
  13: ["refused", "the number cannot receive"],
  14: ["alarm", "the sender's name is not registered"],
  18: ["alarm", "wrong number of parameters"],
  19: ["alarm", "too many messages in one request"],
  20: ["alarm", "wrong number of idx values"],
  27: ["alarm", "the idx is too long"],
  32: ["refused", "the account may not send abroad"],
  33: ["refused", "no valid number"],
  52: ["later", "more than ten attempts to one number within a minute"],
  // The answer to an earlier attempt was lost. SMSAPI.pl remembers an idx for four days.
  53: ["accepted", "the idx was accepted before"],
  57: ["refused", "the number is blacklisted by the account"],
  74: ["alarm", "the account may not send at this time of day"],
  101: ["alarm", "invalid token"],
  102: ["alarm", "invalid login"],
  103: ["alarm", "no credits left"],
  105: ["alarm", "this machine's IP address is not allowed"],
  110: ["alarm", "the account may not send SMS"],
  200: ["later", "sending failed"],
  201: ["later", "an internal error of SMSAPI.pl"],
  202: ["later", "too many requests at once"],
  203: ["later", "too many requests"],
  999: ["later", "an internal error of SMSAPI.pl"],
};
