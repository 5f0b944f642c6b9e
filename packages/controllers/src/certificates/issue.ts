import type { Random } from '@orch/machinery';
import {
  type Authority,
  type CertificateRequest,
  encodeName,
  encodePem,
  signCertificate,
} from '@orch/pki/x509';

/** Allowance for clocks of verifiers that run behind this one. */
const BACKDATE_MS = 5 * 60_000;
/** Certificates with a shorter lifetime keep it in full; longer ones are backdated at the start and at the end. */
const SHORT_MS = 8 * 3_600_000;
const LEAST_MS = 600_000;

/** The contents of the certificate to issue. */
export interface CertificateContents {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
  readonly expirationSeconds: number | undefined;
}

/** Validity of a certificate, in epoch milliseconds. */
export interface Lifetime {
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * The lifetime of a certificate (spec 5.15): the smaller of the requested duration and the configured one, starting five
 * minutes ago, and never beyond that of its authority.
 */
export function lifetimeOf(
  expirationSeconds: number | undefined,
  { now, durationMs, notAfter }: { now: number; durationMs: number; notAfter: number },
): Lifetime {
  const requested =
    expirationSeconds === undefined ? durationMs : Math.max(expirationSeconds * 1000, LEAST_MS);
  const length = Math.min(requested, durationMs);
  const end = now + length - (length < SHORT_MS ? 0 : BACKDATE_MS);
  return { notBefore: now - BACKDATE_MS, notAfter: Math.min(end, notAfter) };
}

/**
 * The certificate for a request, in PEM. It has the subject, key and alternative names of the request and the usages of
 * the object; nothing else of the request is copied, and the certificate is never that of an authority.
 */
export function issueFor(
  { request, usages, expirationSeconds }: CertificateContents,
  authority: Authority,
  issuing: { readonly now: number; readonly durationMs: number; readonly random: Random },
): string {
  const { now, durationMs } = issuing;
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
    issuing.random,
  );
  return encodePem('CERTIFICATE', certificate);
}
