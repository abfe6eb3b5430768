/** A time as the commands tell it to people: in Poland, and in UTC. For a regular expression. */
export const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d CES?T \([\d: -]+ UTC\)`;
