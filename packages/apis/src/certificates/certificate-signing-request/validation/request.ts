import type { CertificateSigningRequest } from '@orch/kinds/certificates';
import { type FieldError, fieldError, MAX_FIELD_ERRORS } from '@orch/machinery';
import { DerError, keyUsageNames, parseCertificateRequest, readCertificates } from '@orch/pki/x509';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkSignerName } from '../../shared/signer-name.ts';
import { checkConditions, checkNoneRemoved, checkUntouched } from './conditions.ts';
import { certificateOf, pemOf, type Tolerance, toleranceFor } from './tolerance.ts';

/** The path through which a request is written. */
export type Through = 'main' | 'status' | 'approval';

function checkRequest(request: string): readonly FieldError[] {
  try {
    parseCertificateRequest(request);
    return [];
  } catch (error) {
    if (error instanceof DerError) return [fieldError.invalid('spec.request', request, error.message)];
    throw error;
  }
}

function checkUsages(usages: readonly string[], tolerance: Tolerance): readonly FieldError[] {
  const path = 'spec.usages';
  if (usages.length === 0) return [fieldError.required(path, 'usages must be provided')];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, usage] of usages.entries()) {
    // A Status names at most this many errors.
    if (errors.length >= MAX_FIELD_ERRORS) break;
    const known = tolerance.unknownUsages || keyUsageNames.includes(usage);
    const fresh = tolerance.duplicateUsages || !seen.has(usage);
    seen.add(usage);
    if (!known) errors.push(fieldError.notSupported(`${path}[${i}]`, usage, keyUsageNames));
    if (!fresh) errors.push(fieldError.duplicate(`${path}[${i}]`, usage));
  }
  return errors;
}

function checkSigner(name: string, tolerance: Tolerance, legacy: string): readonly FieldError[] {
  const path = 'spec.signerName';
  return name === legacy && !tolerance.legacySigner
    ? [fieldError.invalid(path, name, 'the legacy signerName is not allowed via this API version')]
    : checkSignerName(path, name);
}

function checkCertificate(certificate: string, tolerance: Tolerance): readonly FieldError[] {
  if (certificate === '' || tolerance.arbitraryCertificate) return [];
  const found = readCertificates(pemOf(certificate));
  return typeof found === 'string'
    ? [fieldError.invalid('status.certificate', '<certificate data>', found)]
    : [];
}

/** Checks that a certificate is set once, by the signer. */
function checkCertificateChange(
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
  through: Through,
): readonly FieldError[] {
  const before = certificateOf(old);
  if (before === certificateOf(next)) return [];
  if (through !== 'status')
    return [fieldError.forbidden('status.certificate', 'updates may not set certificate content')];
  return before === ''
    ? []
    : [fieldError.forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

function checkChanges(
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
  through: Through,
): readonly FieldError[] {
  return [
    ...checkNoneRemoved(next, old),
    ...(through === 'approval' ? [] : checkUntouched(next, old, ['Approved', 'Denied'])),
    ...checkCertificateChange(next, old, through),
  ];
}

/** Checks a certificate signing request for each of the paths through which it is written (spec 2.6, 3.1). */
export const validateSigningRequest =
  (through: Through) =>
  (
    next: CertificateSigningRequest,
    old: CertificateSigningRequest | undefined,
    { names, requestVersion }: StrategyContext,
  ): readonly FieldError[] => {
    const tolerance = toleranceFor(old, requestVersion, names);
    const spec = next.spec ?? {};
    return [
      ...checkRequest(spec.request ?? ''),
      ...checkUsages(spec.usages ?? [], tolerance),
      ...checkSigner(spec.signerName ?? '', tolerance, names.signers.legacyUnknown),
      ...checkConditions(next, tolerance),
      ...checkCertificate(certificateOf(next), tolerance),
      ...(old === undefined ? [] : checkChanges(next, old, through)),
    ];
  };
