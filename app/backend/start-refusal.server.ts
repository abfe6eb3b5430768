/** The backend won't start, and its message says why in one line. Nothing was changed on the disk. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}
