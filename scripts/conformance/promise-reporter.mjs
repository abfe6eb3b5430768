/** Tells how each promise went, as it goes: `ok` or `FAILED`, what it was, and what was expected. */
export class PromiseReporter {
  kept = 0;
  broken = 0;
  #part = "";

  onTestCaseResult(test) {
    const [, part, ...promise] = names(test);
    if (part !== this.#part) console.log(`${this.kept + this.broken > 0 ? "\n" : ""}${part}`);
    this.#part = part;
    const { state, errors } = test.result();
    if (state === "passed") {
      this.kept += 1;
      console.log(`  ok      ${promise.join(": ")}`);
      return;
    }
    this.broken += 1;
    console.log(`  FAILED  ${promise.join(": ")}`);
    this.#explain(errors);
  }

  /** What went wrong outside of a promise: a file of customers that lacks some, say. */
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
  for (let above = test.parent; above?.type === "suite"; above = above.parent) found.unshift(above.name);
  return found;
}
