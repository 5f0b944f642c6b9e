import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { PodCertificateRequest, PodCertificateRequestSpec } from '@orch/kinds/certificates';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { DerError, readCertificateRequest, requestSignatureProblem } from '@orch/pki/x509';
import type { StrategyContext } from '../../../resource-type.ts';
import { checkFormat } from '../../../validation-rules.ts';
import { checkSignerName, isOwnSigner } from '../../shared/signer-name.ts';
import { checkUserAnnotations } from '../../shared/user-annotations.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const MAX_SECONDS = 91 * DAY_SECONDS;

const signingRequestPath = 'spec.stubPKCS10Request';
const omitted = '<value omitted>';

/** The rules of a request: everything about its spec, which is final. */
export function validatePodCertificateRequest(
  next: PodCertificateRequest,
  old: PodCertificateRequest | undefined,
  { names }: StrategyContext,
): readonly FieldError[] {
  const spec = next.spec ?? {};
  if (old !== undefined)
    return jsonEquals(spec, old.spec ?? {})
      ? []
      : [fieldError.invalid('spec', omitted, 'field is immutable')];
  return [
    ...checkSignerName('spec.signerName', spec.signerName ?? ''),
    ...checkIdentities(spec),
    ...checkUserAnnotations('spec.unverifiedUserAnnotations', spec.unverifiedUserAnnotations ?? {}),
    ...checkExpiration(spec, names),
    ...checkKeySource(spec),
  ];
}

const nameFields = ['podName', 'serviceAccountName', 'nodeName'] as const;
const uidFields = ['podUID', 'serviceAccountUID', 'nodeUID'] as const;

/** Pod, account and node have names and uids. The formats of names that are not empty belong to their fields. */
function checkIdentities(spec: PodCertificateRequestSpec): readonly FieldError[] {
  const areEmpty = (field: (typeof nameFields | typeof uidFields)[number]): boolean =>
    (spec[field] ?? '') === '';
  return [
    ...nameFields.filter(areEmpty).flatMap((field) => checkFormat('dns1123subdomain', `spec.${field}`, '')),
    ...uidFields
      .filter(areEmpty)
      .map((field) => fieldError.invalid(`spec.${field}`, '', 'must not be empty')),
  ];
}

/** Signers of the project issue certificates for at most one day, others for three months. */
function checkExpiration(
  { signerName = '', maxExpirationSeconds = DAY_SECONDS }: PodCertificateRequestSpec,
  { signers }: Names,
): readonly FieldError[] {
  const max = isOwnSigner(signerName, signers) ? DAY_SECONDS : MAX_SECONDS;
  if (maxExpirationSeconds >= HOUR_SECONDS && maxExpirationSeconds <= max) return [];
  const why = `must be in the range [${HOUR_SECONDS}, ${max}]`;
  return [fieldError.invalid('spec.maxExpirationSeconds', maxExpirationSeconds, why)];
}

/** A request has the key in a signing request or, in earlier releases, on its own with a proof of possession. */
function checkKeySource(spec: PodCertificateRequestSpec): readonly FieldError[] {
  const { stubPKCS10Request: request, pkixPublicKey: key, proofOfPossession: proof } = spec;
  const has = (text: string | null | undefined): text is string => (text ?? '') !== '';
  if (has(request) && !has(key) && !has(proof)) return checkSigningRequest(Buffer.from(request, 'base64'));
  if (has(key) && has(proof) && !has(request)) return checkProof(spec, Buffer.from(key, 'base64'));
  const why = 'must have either stubPKCS10Request, or pkixPublicKey and proofOfPossession';
  return [fieldError.invalid('spec', omitted, why)];
}

function checkSigningRequest(der: Buffer): readonly FieldError[] {
  const invalid = (why: string): readonly FieldError[] => [
    fieldError.invalid(signingRequestPath, omitted, why),
  ];
  try {
    const request = readCertificateRequest(der);
    const wrong = keyProblem(publicKeyOf(request.publicKey));
    if (wrong !== undefined) return invalid(wrong);
    return requestSignatureProblem(request) === undefined ? [] : invalid('must have a valid signature');
  } catch (error) {
    if (error instanceof DerError || isCryptoError(error)) return invalid('must be a PKCS#10 request');
    throw error;
  }
}

/** The bytes that a key signs as a proof are the identity of the pod. */
function checkProof(
  { podUID = '', proofOfPossession }: PodCertificateRequestSpec,
  der: Buffer,
): readonly FieldError[] {
  const path = 'spec.pkixPublicKey';
  let key: KeyObject;
  try {
    key = publicKeyOf(der);
  } catch {
    return [fieldError.invalid(path, omitted, 'must be a public key in DER')];
  }
  const wrong = keyProblem(key);
  if (wrong !== undefined) return [fieldError.invalid(path, omitted, wrong)];
  const isRsa = key.asymmetricKeyType === 'rsa';
  const verifier = isRsa ? { key, padding: constants.RSA_PKCS1_PSS_PADDING } : key;
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const proof = Buffer.from(proofOfPossession ?? '', 'base64');
  return verify(hash, Buffer.from(podUID), verifier, proof)
    ? []
    : [fieldError.invalid('spec.proofOfPossession', omitted, 'must be a signature of podUID by the key')];
}

const publicKeyOf = (der: Buffer): KeyObject => createPublicKey({ key: der, format: 'der', type: 'spki' });

const curves: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1'];
const moduli: readonly (number | undefined)[] = [3072, 4096];

function keyProblem({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  switch (asymmetricKeyType) {
    case 'ed25519':
      return undefined;
    case 'ec':
      return curves.includes(asymmetricKeyDetails?.namedCurve)
        ? undefined
        : 'elliptic keys must use the curve P256, P384 or P521';
    case 'rsa':
      return moduli.includes(asymmetricKeyDetails?.modulusLength)
        ? undefined
        : 'RSA keys must have 3072 or 4096 bits';
    default:
      return 'must have a key of Ed25519, ECDSA or RSA';
  }
}

const isCryptoError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_');
