import type { CertificateSigningRequest } from '@orch/kinds/certificates';
import type { Names } from '@orch/machinery';
import { keyUsageNames, readCertificates } from '@orch/pki/x509';
import { conditionsOf } from '../conditions.ts';

/** Rules that are not applied to a request. */
export interface Tolerance {
  readonly approvedAndDenied: boolean;
  readonly legacySigner: boolean;
  readonly duplicateConditionTypes: boolean;
  readonly emptyConditionType: boolean;
  readonly arbitraryCertificate: boolean;
  readonly duplicateUsages: boolean;
  readonly unknownUsages: boolean;
}

const isOlder = (requestVersion: string): boolean => requestVersion === 'certificates/v1beta1';

export const certificateOf = (request: CertificateSigningRequest): string =>
  request.status?.certificate ?? '';

/** PEM text that is encoded as base64 in `status.certificate`. */
export const pemOf = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1');

const hasDuplicates = (values: readonly string[]): boolean => new Set(values).size !== values.length;

/**
 * Violations that are tolerated: of rules that the older version does not have, and, in any version, of rules that the
 * stored object violates (spec 5.15).
 */
export function toleranceFor(
  old: CertificateSigningRequest | undefined,
  requestVersion: string,
  names: Names,
): Tolerance {
  const older = isOlder(requestVersion);
  const usages = old?.spec?.usages ?? [];
  const types = old === undefined ? [] : conditionsOf(old).map(({ type }) => type ?? '');
  const certificate = old === undefined ? '' : certificateOf(old);
  return {
    approvedAndDenied: types.includes('Approved') && types.includes('Denied'),
    legacySigner: older || (old !== undefined && old.spec?.signerName === names.signers.legacyUnknown),
    duplicateConditionTypes: older || hasDuplicates(types),
    emptyConditionType: older || types.includes(''),
    arbitraryCertificate:
      older || (certificate !== '' && typeof readCertificates(pemOf(certificate)) === 'string'),
    duplicateUsages: older || hasDuplicates(usages),
    unknownUsages: older || usages.some((usage) => !keyUsageNames.includes(usage)),
  };
}
