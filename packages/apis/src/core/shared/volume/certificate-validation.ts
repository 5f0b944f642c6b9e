import type { ClusterTrustBundleProjection, PodCertificateProjection } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkDescendingPath } from '../../../validation-rules.ts';

/** A projection names one bundle, or a signer. */
export const checkTrustBundleProjection: Check<ClusterTrustBundleProjection> = (source, { path }) => {
  const { name, signerName, labelSelector } = source;
  const errors: FieldError[] = [...checkDescendingPath(`${path}.path`, source.path ?? '')];
  if (name !== undefined && signerName !== undefined)
    errors.push(fieldError.invalid(path, 'resource', 'only one of name and signerName may be used'));
  else if (name !== undefined) {
    if (name === '') errors.push(fieldError.required(`${path}.name`, 'must be a valid object name'));
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
  else if (signerName === '')
    errors.push(fieldError.required(`${path}.signerName`, 'must be a valid signer name'));
  return errors;
};

const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

/** A projection writes at least one file, below the volume. */
export const checkPodCertificate: Check<PodCertificateProjection> = (source, { path }) => {
  const written = paths.filter((name) => (source[name] ?? '') !== '');
  if (written.length === 0)
    return [
      fieldError.required(
        path,
        'specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
      ),
    ];
  return written.flatMap((name) => checkDescendingPath(`${path}.${name}`, source[name] ?? ''));
};
