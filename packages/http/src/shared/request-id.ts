import type { IncomingHttpHeaders } from 'node:http';
import type { Random } from '@orch/machinery';
import { isRequestId } from '@orch/request';

/** The id of a request: the value of `Audit-ID` if it is acceptable, otherwise a new one. */
export function requestId(headers: IncomingHttpHeaders, random: Random): string {
  const requested = headers['audit-id'];
  return typeof requested === 'string' && isRequestId(requested) ? requested : random.uuid();
}
