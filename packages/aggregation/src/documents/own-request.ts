import { ApiError, messageOf, type Names } from '@orch/machinery';
import { DeadlineExceeded } from '@orch/machinery/concurrency';
import { type Fields, NotSent, noBody, OutboundFailure, type OutboundRequest } from '@orch/outbound';
import { identityFields } from '../proxy/identity-fields.ts';

/** A GET that a server sends for itself, with all permissions. */
export const ownRequest = (
  { host }: { readonly host: string },
  { target, headers }: { readonly target: string; readonly headers: Fields },
  { users, userGroups }: Names,
): OutboundRequest => ({
  method: 'GET',
  target,
  headers: {
    ...identityFields({ name: users.aggregator, uid: '', groups: [userGroups.masters], extra: {} }),
    host,
    ...headers,
  },
  bodyLength: 0,
  body: noBody,
  upgrade: undefined,
});

/** Tries a second time after a failure: the server may have just closed a kept connection. */
export async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return work();
  }
}

/** The reason why a request failed, for messages. */
export function failureText(error: unknown): string {
  if (error instanceof DeadlineExceeded) return `no answer within ${error.afterMs} ms`;
  if (error instanceof NotSent) return failureText(error.failure);
  return error instanceof ApiError ? error.message : messageOf(error);
}
