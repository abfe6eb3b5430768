/** Prints each promise as it finishes: `ok`, `FAILED` or `skipped`, its name, and what was expected. */
export class PromiseReporter {
  kept = 0;
  broken = 0;
  #part = "";

  onTestCaseResult(test) {
    const [, part, ...promise] = names(test);
    if (part !== this.#part) console.log(`${this.kept + this.broken > 0 ? "\n" : ""}${part}`);
    this.#part = part;
    const { state, errors, note } = test.result();
    if (state === "passed") {
      this.kept += 1;
      console.log(`  ok      ${promise.join(": ")}`);
      return;
    }
    if (state === "skipped") {
      console.log(`  skipped ${promise.join(": ")}${note ? ` (${note})` : ""}`);
      return;
    }
    this.broken += 1;
    console.log(`  FAILED  ${promise.join(": ")}`);
    this.#explain(errors);
  }

  /** Also prints errors outside any promise, for example customers missing from the file. */
  onTestRunEnd(modules, unhandled) {
    const errors = [...modules.flatMap((module) => module.errors()), ...unhandled];
    if (errors.length > 0) this.broken += 1;
    this.#explain(errors);
    console.log(`\n${this.kept} promises kept, ${this.broken} broken`);
  }

  #explain(errors = []) {
    for (const { message, diff } of errors) {
      const text = [message, ...(diff ? [diff] : [])].join("\n");
      console.log(text.replace(/^/gm, "          "));
    }
  }
}

/** From the suite's name down to the promise's. */
function names(test) {
  const found = [test.name];
  for (let suite = test.parent; suite?.type === "suite"; suite = suite.parent) found.unshift(suite.name);
  return found;
}
