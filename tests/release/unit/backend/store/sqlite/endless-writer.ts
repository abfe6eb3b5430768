// Run as a program: writes facts to the SQLite file named by its argument, 20 at once, and prints the name of
// each that is reported as written. It ends only when killed.
import { openSqliteStore } from "~/backend/store/sqlite-store.server";

const store = await openSqliteStore(process.argv[2] ?? "");

async function writeOn(writer: number): Promise<never> {
  for (let nth = 0; ; nth += 1) {
    const name = `${writer}-${nth}`;
    await store.write((tx) =>
      tx
        .insertInto("facts")
        .values({ name, value: "x".repeat(500) })
        .execute(),
    );
    process.stdout.write(`${name}\n`);
  }
}

await Promise.all(Array.from({ length: 20 }, (_, writer) => writeOn(writer)));
