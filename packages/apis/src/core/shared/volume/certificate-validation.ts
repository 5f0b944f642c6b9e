import type { ClusterTrustBundleProjection, PodCertificateProjection } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkSignerName, isOwnSigner } from '../../../certificates/shared/signer-name.ts';
import { checkUserAnnotations } from '../../../certificates/shared/user-annotations.ts';
import { checkDescendingPath, checkFormat } from '../../../validation-rules.ts';

/** A projection names one bundle, or a signer. */
export const checkTrustBundleProjection: Check<ClusterTrustBundleProjection> = (source, { path }) => {
  const { name, signerName, labelSelector } = source;
  const errors: FieldError[] = [...checkDescendingPath(`${path}.path`, source.path ?? '')];
  if (name !== undefined && signerName !== undefined)
    errors.push(fieldError.invalid(path, 'resource', 'only one of name and signerName may be used'));
  else if (name !== undefined) {
    if (name === '') errors.push(fieldError.required(`${path}.name`, 'must be a valid object name'));
    errors.push(...checkBundleName(`${path}.name`, name));
    if (labelSelector !== undefined)
      errors.push(
        fieldError.invalid(
          `${path}.labelSelector`,
          labelSelector,
          'labelSelector must be unset if name is specified',
        ),
      );
  } else if (signerName === undefined)
    errors.push(fieldError.required(path, 'either name or signerName must be specified'));
  else errors.push(...checkSignerName(`${path}.signerName`, signerName));
  return errors;
};

/** The name of a bundle of a signer follows the name of the signer, with colons: `example.com:signer:name`. */
function checkBundleName(path: string, name: string): readonly FieldError[] {
  return checkFormat('dns1123subdomain', path, name.slice(name.lastIndexOf(':') + 1));
}

const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

/** A projection writes at least one file, below the volume. */
export const checkPodCertificate: Check<PodCertificateProjection> = (source, { path, names }) => {
  const written = paths.filter((name) => (source[name] ?? '') !== '');
  const missing = fieldError.required(
    path,
    'specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
  );
  return [
    ...((source.signerName ?? '') === ''
      ? []
      : checkSignerName(`${path}.signerName`, source.signerName ?? '')),
    ...checkUserAnnotations(`${path}.userAnnotations`, source.userAnnotations ?? {}),
    ...checkExpiration(path, source, names),
    ...(written.length === 0 ? [missing] : []),
    ...written.flatMap((name) => checkDescendingPath(`${path}.${name}`, source[name] ?? '')),
  ];
};

/** The longest validity of certificates of the project's own signers. */
const MAX_OWN_SECONDS = 24 * 60 * 60;

function checkExpiration(
  path: string,
  { maxExpirationSeconds: seconds, signerName = '' }: PodCertificateProjection,
  { signers }: Names,
): readonly FieldError[] {
  return seconds !== undefined && seconds > MAX_OWN_SECONDS && isOwnSigner(signerName, signers)
    ? [fieldError.invalid(`${path}.maxExpirationSeconds`, seconds, `must be at most ${MAX_OWN_SECONDS}`)]
    : [];
}
