import type { IncomingHttpHeaders } from 'node:http';
import type { Random } from '@orch/machinery';

/** What a client may call its request: it comes back in a header, and stands in logs. */
const ACCEPTABLE = /^[A-Za-z0-9_.:-]{1,64}$/;

/** The id of a request: the one that the client says in `Audit-ID`, or a new one. */
export function requestId(headers: IncomingHttpHeaders, random: Random): string {
  const requested = headers['audit-id'];
  return typeof requested === 'string' && ACCEPTABLE.test(requested) ? requested : random.uuid();
}
