import { forgetFlow, leaveNotice, readFlow, type FlowNamed } from "./flow.server";
import { go } from "./gate.server";

/** The flows of signed-out visitors, and where each begins. */
const FIRST_SCREENS = {
  register: "/home/register",
  "reset-password": "/home/reset-password-init",
  "remind-username": "/home/remind-login-init",
  reminded: "/home/remind-login-init",
} as const;

/**
 * The gate of a screen in the middle of a flow: opened without the steps before it, it leads to the first one (form
 * contract, "Who may see what"). A step that was under way and has expired says so there.
 */
export async function continueFlow<Name extends keyof typeof FIRST_SCREENS>(
  request: Request,
  name: Name,
): Promise<FlowNamed<Name>> {
  const flow = await readFlow(request, name);
  if (flow) return flow;
  if (request.method === "POST") await leaveNotice("step-lost");
  else forgetFlow();
  throw go(request, FIRST_SCREENS[name]);
}
