/** What is done about an error of SMSAPI.pl. `alarm`: somebody has to mend the account; until then all messages wait. */
export type Verdict = "accepted" | "refused" | "later" | "alarm";

/** The errors that sending one SMS can have, as SMSAPI.pl documents them, and what each means for a message. */
export const SMSAPI_CODES: Readonly<Record<number, readonly [Verdict, string]>> = {
  8: ["alarm", "the request is malformed"],
  11: ["refused", "the text is empty, too long, or not in GSM-7"],
  12: ["refused", "the text has more parts than allowed"],
  13: ["refused", "the number cannot receive"],
  14: ["alarm", "the sender's name is not registered"],
  18: ["alarm", "the number of parameters is wrong"],
  19: ["alarm", "too many messages in one request"],
  20: ["alarm", "the number of idx is wrong"],
  27: ["alarm", "the idx is too long"],
  32: ["refused", "numbers abroad are switched off for the account"],
  33: ["refused", "no number is right"],
  52: ["later", "ten attempts to one number within a minute"],
  // The answer to an earlier attempt was lost on its way: SMSAPI.pl remembers an idx for four days.
  53: ["accepted", "the idx was taken before"],
  57: ["refused", "the number is on the account's black list"],
  74: ["alarm", "the account may not send at this time of day"],
  101: ["alarm", "the token is not accepted"],
  102: ["alarm", "the login is not accepted"],
  103: ["alarm", "no credits are left"],
  105: ["alarm", "the address of this machine is not allowed"],
  110: ["alarm", "the account may not send SMS"],
  200: ["later", "sending failed"],
  201: ["later", "an internal error of SMSAPI.pl"],
  202: ["later", "too many requests at once"],
  203: ["later", "too many requests"],
  999: ["later", "an internal error of SMSAPI.pl"],
};
