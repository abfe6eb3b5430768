/** The backend refuses to start. The message says why, in one line for operators. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
