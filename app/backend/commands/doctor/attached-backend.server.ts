import { CALLS } from "~/contract/calls.server";
import { ANSWER_MS, ok, problem, type Check } from "./check.server";

/** Whether the attached backend answers. Asks it who is signed in, without a cookie. */
export const attachedBackend: Check = {
  name: "backend",
  needs: [],
  run: async ({ settings: { BACKEND_URL = "" } }) => {
    const { method, path } = CALLS.userInfo;
    const signal = AbortSignal.timeout(ANSWER_MS);
    try {
      const { status, body } = await fetch(BACKEND_URL + path, { method, redirect: "manual", signal });
      await body?.cancel();
      return status < 500
        ? ok(`${BACKEND_URL} answers`)
        : problem(`${BACKEND_URL} answers with status ${status}: see its log`);
    } catch {
      return problem(`${BACKEND_URL} does not answer: see whether it runs and is reached from here`);
    }
  },
};
