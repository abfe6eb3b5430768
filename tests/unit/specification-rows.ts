/** A row of the specification, and words of the title of a test that holds the product to it. */
export type Row = readonly [row: string, titled: string];

/** §1 What the product does. */
const FUNCTIONS: readonly Row[] = [
  ["§1 log in", "a customer signs in, reads about the policies and signs out"],
  [
    "§1 one-time code on an unrecognized device",
    "from the cookie gate to the customer area, and the second time without a code",
  ],
  ["§1 customer type: individual", "an individual, by PESEL"],
  ["§1 customer type: no such ID", "a person without a PESEL, by an identity document"],
  ["§1 customer type: company representative", "a company's representative, by NIP"],
  ["§1 set, change and reset a password", "§4 password reset:"],
  ["§1 recover a username and change it", "§4 login remind:"],
  ["§1 create or change a document password", "§4 document password: created from the profile, then changed"],
  ["§1 log out", "the question whether to sign out can be answered with no"],
  ["§1 accept cookies", "the question for consent"],
  ["§1 helpline hours and numbers", "the helpline: Monday to Friday, 9:00 to 18:00 in Poland"],
  ["§1 version string", "names the version"],
  ["§1 page title", "name the page, the portal and the insurer"],
];

/** §2 Screens and routes; each address in each state of a visitor is a row of `attack/addresses.ts`. */
const SCREENS: readonly Row[] = [
  [
    "§2 every route, always, authenticated and not",
    "every address of the portal is in the table, and nothing else",
  ],
  ["§2 /logout", "typing the address of /home/logout signs out"],
  ["§2 /cookies", "a browser that keeps no cookies is told so, and not sent in circles"],
  ["§2 /service", "the error page and an unknown address have a number for the helpline and a way on"],
  [
    "§2 /cp/profile, document-password-save-result",
    "§2 /cp/profile: of document-password-save-result only create and change count",
  ],
  ["§2 login: unchanged values are not sent", "unchanged values are not sent again, changed ones are"],
  ["§2 /remind-login-final: prefilled and locked", "the name is filled in and locked, the password lets in"],
  ["§2 MFA: trust switch", "the trust choice survives a wrong code"],
  ["§2 MFA: back drops the activation", "'Wstecz' drops the session"],
  ["§2 MFA: button off for an empty or rejected code", "the button off, the resend button away"],
  [
    "§2 register: button off until both are filled",
    "§2 register: the button is off until both fields are filled",
  ],
  ["§2 set, change and reset share a form", "on the server, whatever the browser does"],
  ["§2 live checklist", "§5 the checklist of password conditions lives while one types"],
  ["§2 back goes one step back", "back leads to where it began"],
  ["§2 confirm-login: the name in a disabled field, skip", "on to the portal without changing the name"],
  ["§2 change-login", "§4 login change from the profile"],
  [
    "§2 document password: allowed characters in a dialog",
    "§2 the list of allowed characters opens and closes",
  ],
  ["§2 trusted-device step", "signs in, trusts the device, signs out, and signs in without a code"],
  ["§2 logout question", "the question in the header takes the focus, and Esc closes it"],
  ["§2 footer: documents, year", "the footer: three documents, the year, the version"],
  ["§2 menu", "the menu"],
  ["§2 modal", "a dialog is a modal one"],
];

/** §4 States and transitions. */
const FLOWS: readonly Row[] = [
  ["§4 startup: no consent", "nobody without consent makes the backend be asked"],
  ["§4 startup: who somebody is", "without a session the backend is asked one thing"],
  ["§4 submits are ignored while pending", "a double click on 'Zaloguj się' sends one message"],
  ["§4 login", "leads from the password and the code to the customer's own policies"],
  [
    "§4 after first login the name may be changed or not",
    "§4 after the first sign-in the generated username is changed",
  ],
  ["§4 registration", "§1 §4 registration:"],
  ["§4 password reset: log in, to /cp", "§4 password reset: by username and code to /cp at once"],
  ["§4 password reset on change-password: to the profile", "§4 change of password from the profile"],
  ["§4 login change: to /cp from confirm-login", "change of a username begun at confirm-login ends at /cp"],
  ["§4 login change: otherwise to the profile", "§4 login change from the profile"],
  ["§4 login remind", "§4 login remind:"],
  ["§4 document password", "§4 document password: created from the profile"],
  ["§4 only one logout at a time", "signing out, while pages are asked for"],
  ["§4 the code can become blocked", "the fifth wrong code brings the dialog, and its new code works"],
  ["§4 resend is ignored for 1 second", "is sent again after a second and not before"],
];

/** §5 Validation rules. */
const RULES: readonly Row[] = [
  ["§5 required on blur", "§5 code, new password and repeat are required when they are left"],
  [
    "§5 password conditions",
    "a password: 12 to 50 characters, an upper-case letter, a digit, a special character",
  ],
  ["§5 all must hold before submit", "§5 a password that misses a condition is not sent"],
  ["§5 passwords must match, on blur", "§5 passwords that differ: said when the repeat is left"],
  ["§5 the repeat is checked when its partner changes", "taken back when its partner changes"],
  ["§5 username", "a username: 5 to 50 characters"],
  ["§5 usernames must match, on change", "§5 usernames that differ: said while the repeat is typed"],
  ["§5 code: digits only", "a one-time code: digits only"],
  ["§5 document password", "§5 a document password names the character that it must not have"],
  ["§5 007 until its value changes", "§5 [C-09] 007 stays at the code until the code changes"],
  ["§5 013 until its value changes", "§5 [C-09] 013 stays at the new password until it changes"],
  ["§5 012 until its value changes", "§5 [C-09] 012 stays at the new username until it changes"],
  ["§5 register: both required", "§5 the first steps require what they ask for"],
  ["§5 register: identifier upper-cased", "by an identity document in small letters"],
  ["§5 text input of at most 4000", "any text"],
  ["§5 show and hide", "§5 [C-19] show and hide: what is typed can be seen"],
];

/** §6 Roles, §7 calls: each call of the list is a row of `app/contract/calls.server.ts`. */
const CALLS: readonly Row[] = [
  ["§6 two states", "there is no way around a gate"],
  ["§7 every call", "every call of the contract can be made, and goes to its own address"],
  ["§7 every call has its answers", "lists every status it can be answered with"],
];

/** §8 The error catalogue. */
const CATALOGUE: readonly Row[] = [
  ...["014", "015", "105", "106", "108", "016"].map(
    (code): Row => [`§8 ${code}`, "§8 %s as a dialog “%s” with its button"],
  ),
  ["§8 014 through a screen", "§8 014 registering again"],
  ["§8 015 through a screen", "§8 015 after three changes of the username"],
  ["§8 105, 106, 108 through a screen", "a dialog before everything else, with the helpline"],
  ["§8 016 through a screen", "§8 016 on ${name}"],
  ["§8 106 signs out", "§8 106 its button signs out and leads to the start page"],
  ["§8 other modal errors", "a code that is not in the catalogue is a dialog"],
  ["§8 007 and 010", "§8 007 on ${name}"],
  ["§8 007: resend hidden", "the resend button is away as long"],
  ["§8 012", "§8 012 a username that somebody has"],
  ["§8 013", "§8 013 a password that was used before"],
  ["§8 101", "§8 101 a wrong username or password"],
  ["§8 401", "§8 401 leads to the start page"],
  ["§8 409", "§8 409 leads to the code of the sign-in"],
  ["§8 any other failure", "§8 any other failure (%s) signs out, and leads to the error page"],
];

/** §9 Business constants and limits; the numbers themselves are compared with `LIMITS`. */
const CONSTANTS: readonly Row[] = [
  ["§9 password length 12 to 50", "a password of %s"],
  ["§9 username length 5 to 50", "a username of %s"],
  ["§9 username change", "015 after three changes in a month"],
  ["§9 trusted device 30 days", "is trusted for 30 days, by the backend's clock"],
  ["§9 trust is the default", "signs in, trusts the device, signs out"],
  ["§9 base path and API prefixes", "every address of the portal is in the table"],
  ["§9 any service worker is unregistered", "a service worker that was registered here before is gone"],
];

/** Every row of the specification whose screen is built. */
export const ROWS: readonly Row[] = [
  ...FUNCTIONS,
  ...SCREENS,
  ...FLOWS,
  ...RULES,
  ...CALLS,
  ...CATALOGUE,
  ...CONSTANTS,
];
