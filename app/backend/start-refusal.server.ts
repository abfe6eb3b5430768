/** The backend refuses to start, and has changed nothing on disk. The message says why, in one line for operators. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
