import { errors } from '@orch/machinery';
import type { Identified } from './contexts.ts';
import type { Stage } from './types.ts';

/** Headers with which a client asks to act as somebody else. */
const askingHeaders = ['impersonate-user', 'impersonate-group', 'impersonate-uid'] as const;

/**
 * Refuses to act as somebody else with 403. Passing such a request on would do it with the rights of its sender, which
 * are often all of them, where the sender wanted it done with those of another.
 */
export const refuseImpersonation: Stage<Identified> = (context, next) => {
  const { headers } = context.request;
  const asked = askingHeaders.find((name) => headers[name] !== undefined);
  if (asked !== undefined) throw errors.forbiddenPath(`this server does not serve the header ${asked}`);
  return next(context);
};
