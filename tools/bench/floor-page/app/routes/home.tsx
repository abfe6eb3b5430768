import { Form } from "@remix-run/react";

/** The least a sign-in page can be. */
export default function Home() {
  return (
    <Form method="post">
      <label>
        Username <input name="username" autoComplete="username" />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button type="submit">Sign in</button>
    </Form>
  );
}
