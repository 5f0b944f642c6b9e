import { X509Certificate } from 'node:crypto';
import type { PodCertificateRequest, PodCertificateRequestStatus } from '@orch/kinds/certificates';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { timeMs } from '@orch/machinery/time';
import { readCertificateRequest, readCertificates } from '@orch/pki/x509';
import type { StrategyContext } from '../../../resource-type.ts';
import { conditionsOf, resultOf, results } from '../conditions.ts';

const MINUTE_MS = 60_000;
const MIN_LIFETIME_MS = 60 * MINUTE_MS;
/** The maximum difference between the clocks of signer and server. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** Time between the beginning of the renewal and either end of the validity. */
const REFRESH_MARGIN_MS = 10 * MINUTE_MS;
const MAX_CHAIN_BYTES = 100 * 1024;

const chainPath = 'status.certificateChain';
const omitted = '<value omitted>';

const invalid = (path: string, why: string): readonly FieldError[] => [
  fieldError.invalid(path, omitted, why),
];

/** The rules of a status: a request ends once, with a certificate of its key or without one. */
export function validatePodCertificateStatus(
  next: PodCertificateRequest,
  old: PodCertificateRequest,
  { now }: StrategyContext,
): readonly FieldError[] {
  const wrong = checkConditions(next);
  if (wrong.length > 0) return wrong;
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  if (resultOf(old) !== undefined)
    return jsonEquals(status, before)
      ? []
      : invalid('status', 'immutable after the request is issued, denied or failed');
  const result = resultOf(next);
  if (result === 'Issued') return checkIssued(next, now);
  if (hasCertificate(status))
    return invalid('status', 'only conditions may be set unless the request is issued');
  return [];
}

function checkConditions(next: PodCertificateRequest): readonly FieldError[] {
  return conditionsOf(next).flatMap(({ type = '', status = '' }, i) => {
    const path = `status.conditions[${i}]`;
    if (!results.includes(type)) return [fieldError.notSupported(`${path}.type`, type, results)];
    return [
      ...(i > 0
        ? [fieldError.invalid(`${path}.type`, type, `must be the only one of ${results.join()}`)]
        : []),
      ...(status === 'True' ? [] : [fieldError.notSupported(`${path}.status`, status, ['True'])]),
    ];
  });
}

const hasCertificate = (status: PodCertificateRequestStatus): boolean =>
  [status.certificateChain || undefined, status.notBefore, status.notAfter, status.beginRefreshAt].some(
    (value) => value !== undefined,
  );

function checkIssued({ spec = {}, status = {} }: PodCertificateRequest, now: string): readonly FieldError[] {
  const chain = status.certificateChain ?? '';
  if (Buffer.byteLength(chain) > MAX_CHAIN_BYTES) return [fieldError.tooLong(chainPath, MAX_CHAIN_BYTES)];
  const found = readCertificates(chain);
  if (typeof found === 'string') return invalid(chainPath, found);
  const leaf = new X509Certificate(found[0] ?? Buffer.alloc(0));
  const wanted = keyOf(spec);
  if (!leaf.publicKey.export({ format: 'der', type: 'spki' }).equals(wanted))
    return invalid(chainPath, 'the first certificate must have the requested key');
  return checkTimes(status, leaf, { nowMs: timeMs(now) ?? 0, maxSeconds: spec.maxExpirationSeconds ?? 0 });
}

const keyOf = ({ stubPKCS10Request, pkixPublicKey }: NonNullable<PodCertificateRequest['spec']>): Buffer =>
  (stubPKCS10Request ?? '') === ''
    ? Buffer.from(pkixPublicKey ?? '', 'base64')
    : readCertificateRequest(Buffer.from(stubPKCS10Request ?? '', 'base64')).publicKey;

interface Limits {
  readonly nowMs: number;
  readonly maxSeconds: number;
}

function checkTimes(
  { notBefore, notAfter, beginRefreshAt }: PodCertificateRequestStatus,
  leaf: X509Certificate,
  { nowMs, maxSeconds }: Limits,
): readonly FieldError[] {
  const missing = Object.entries({ notBefore, notAfter, beginRefreshAt }).filter(
    ([, time]) => typeof time !== 'string',
  );
  if (missing.length > 0) return missing.map(([name]) => fieldError.required(`status.${name}`));
  const [fromMs, untilMs] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)];
  const at = (time: string | null | undefined): number => timeMs(time ?? '') ?? Number.NaN;
  if (at(notBefore) !== fromMs) return invalid('status.notBefore', 'must be that of the certificate');
  if (Math.abs(fromMs - nowMs) > TOLERANCE_MS)
    return invalid('status.notBefore', 'must be within 5 minutes of the present time');
  if (at(notAfter) !== untilMs) return invalid('status.notAfter', 'must be that of the certificate');
  if (untilMs - fromMs < MIN_LIFETIME_MS) return invalid(chainPath, 'must be valid for at least one hour');
  if (untilMs - fromMs > maxSeconds * 1000)
    return invalid(chainPath, `must be valid for at most ${maxSeconds} seconds (spec.maxExpirationSeconds)`);
  const refreshMs = at(beginRefreshAt);
  return refreshMs >= fromMs + REFRESH_MARGIN_MS && refreshMs <= untilMs - REFRESH_MARGIN_MS
    ? []
    : invalid('status.beginRefreshAt', 'must be at least 10 minutes from either end of the validity');
}
