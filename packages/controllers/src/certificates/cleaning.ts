import { X509Certificate } from 'node:crypto';
import { firstCertificate } from '@orch/pki/x509';
import { hasCondition, type SigningRequest } from './signing-request.ts';

const HOUR_MS = 3_600_000;
/** Time that a request is kept after the decision. */
const DECIDED_MS = HOUR_MS;
/** Time that a request waits for a decision. */
const PENDING_MS = 24 * HOUR_MS;

/** Expiration of the issued certificate; undefined when there is none, or it cannot be parsed. */
function certificateEnd({ certificate }: SigningRequest): number | undefined {
  const bytes = firstCertificate(certificate);
  if (bytes === undefined) return undefined;
  try {
    return Date.parse(new X509Certificate(bytes).validTo);
  } catch {
    return undefined;
  }
}

/** Time of the last change of a request. Times in the future are ignored: they could keep a request for any time. */
function lastChange({ createdAt, conditions }: SigningRequest, now: number): number {
  const times = conditions.flatMap(({ updatedAt }) =>
    updatedAt === undefined || updatedAt > now ? [] : [updatedAt],
  );
  return Math.max(createdAt, ...times);
}

/**
 * Time at which a request is deleted, in epoch milliseconds (spec 3.1): an hour after it was approved, denied or failed, a
 * day after its creation without a decision, and at the latest when its certificate expires.
 */
export function deletionTime(request: SigningRequest, now: number): number {
  const isDecided = hasCondition(request, 'Approved', 'Denied', 'Failed');
  const limit = lastChange(request, now) + (isDecided ? DECIDED_MS : PENDING_MS);
  return Math.min(limit, certificateEnd(request) ?? Number.POSITIVE_INFINITY);
}
