import { ApiError, messageOf } from '@orch/machinery';
import type { ComponentChildren } from 'preact';

/** What a failure means for the person in front of the page, and what to do. */
export function adviceOf(problem: unknown): string {
  if (!(problem instanceof ApiError)) return '';
  const { code } = problem.status;
  if (code === 401)
    return 'The credentials are missing, wrong or expired. Log in again in the terminal, and start the console again.';
  if (code === 403)
    return 'Choose a namespace in which you have this permission, or ask for a role that grants it.';
  if (code === 404) return 'It does not exist on this server, or no longer.';
  if (code === 429) return 'The server is busy and asks to wait.';
  return '';
}

/** A failure in the words of the server, with advice. */
export function Failure({
  problem,
  children,
}: {
  readonly problem: unknown;
  readonly children?: ComponentChildren;
}) {
  const advice = adviceOf(problem);
  return (
    <div class="failure" role="alert">
      <p>{messageOf(problem)}</p>
      {advice === '' ? null : <p>{advice}</p>}
      {children}
    </div>
  );
}
