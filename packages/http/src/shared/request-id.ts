import type { IncomingHttpHeaders } from 'node:http';
import type { Random } from '@orch/machinery';

/** Request ids that are accepted from clients: they are returned in a header and logged. */
const ACCEPTABLE = /^[A-Za-z0-9_.:-]{1,64}$/;

/** The id of a request: the value of `Audit-ID` if acceptable, or a new one. */
export function requestId(headers: IncomingHttpHeaders, random: Random): string {
  const requested = headers['audit-id'];
  return typeof requested === 'string' && ACCEPTABLE.test(requested) ? requested : random.uuid();
}
