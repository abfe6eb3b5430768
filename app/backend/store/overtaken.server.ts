/**
 * Thrown by work when something that it read earlier has changed: the store rolls back and runs the work again. This
 * can't happen on SQLite, where transactions run one at a time.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}
