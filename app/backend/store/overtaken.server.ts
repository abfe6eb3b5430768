/**
 * What the work looked at first had changed when it came to rely on it: the store rolls back and runs the work again. On
 * SQLite, where transactions run one at a time, nothing changes in between.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}
