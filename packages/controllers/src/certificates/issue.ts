import type { Random } from '@orch/machinery';
import {
  type Authority,
  type CertificateRequest,
  encodeName,
  encodePem,
  signCertificate,
} from '@orch/pki/x509';

/** Clocks of those who check a certificate may run behind ours by as much. */
const BACKDATE_MS = 5 * 60_000;
/** Certificates that live shorter than this live as long as was asked for; longer ones begin earlier, and end so too. */
const SHORT_MS = 8 * 3_600_000;
const LEAST_MS = 600_000;

/** What is to be signed. */
export interface Wanted {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** When a certificate begins and ends, in epoch milliseconds. */
export interface Lifetime {
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * The lifetime of a certificate (spec 5.15): the smaller of what was asked for and what the option allows, begun five
 * minutes ago, and never beyond its authority's.
 */
export function lifetimeOf(
  expirationSeconds: number | undefined,
  { now, durationMs, notAfter }: { now: number; durationMs: number; notAfter: number },
): Lifetime {
  const asked = expirationSeconds === undefined ? durationMs : Math.max(expirationSeconds * 1000, LEAST_MS);
  const length = Math.min(asked, durationMs);
  const end = now + length - (length < SHORT_MS ? 0 : BACKDATE_MS);
  return { notBefore: now - BACKDATE_MS, notAfter: Math.min(end, notAfter) };
}

/**
 * The certificate for a request, in PEM. It has the request's subject, key and alternative names, and the usages of the
 * object; nothing else of the request comes into it, and it is never that of an authority.
 */
export function issueFor(
  { request, usages, expirationSeconds }: Wanted,
  authority: Authority,
  by: { readonly now: number; readonly durationMs: number; readonly random: Random },
): string {
  const { now, durationMs } = by;
  const certificate = signCertificate(
    {
      ...lifetimeOf(expirationSeconds, { now, durationMs, notAfter: authority.notAfter }),
      subject: encodeName(request.subject),
      publicKey: request.publicKey,
      usages,
      alternativeNames: request,
      isAuthority: false,
    },
    authority,
    by.random,
  );
  return encodePem('CERTIFICATE', certificate);
}
