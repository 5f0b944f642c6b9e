import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '@orch/pki/x509';
import { is, type SigningRequest } from './signing-request.ts';

const HOUR_MS = 3_600_000;
/** How long a request stays after it was decided. */
const DECIDED_MS = HOUR_MS;
/** How long a request waits for a decision. */
const PENDING_MS = 24 * HOUR_MS;

/** When the certificate that was issued ends; undefined when there is none that can be read. */
function certificateEnd({ certificate }: SigningRequest): number | undefined {
  const block = pemBlocks(certificate).find(({ label }) => label === 'CERTIFICATE');
  if (block === undefined) return undefined;
  try {
    return Date.parse(new X509Certificate(block.bytes).validTo);
  } catch {
    return undefined;
  }
}

/** When a request last changed. Times to come are not believed: they would keep it for as long as somebody likes. */
function lastChange({ createdAt, conditions }: SigningRequest, now: number): number {
  const times = conditions.flatMap(({ updatedAt }) =>
    updatedAt === undefined || updatedAt > now ? [] : [updatedAt],
  );
  return Math.max(createdAt, ...times);
}

/**
 * When a request is to be deleted, in epoch milliseconds (spec 3.1): an hour after it was decided or failed, a day after
 * it was made when nobody decided, and in any case with its certificate.
 */
export function deletionTime(request: SigningRequest, now: number): number {
  const isDecided = is(request, 'Approved', 'Denied', 'Failed');
  const limit = lastChange(request, now) + (isDecided ? DECIDED_MS : PENDING_MS);
  return Math.min(limit, certificateEnd(request) ?? Number.POSITIVE_INFINITY);
}
