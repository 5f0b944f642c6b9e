import { jsonEquals } from '@orch/machinery/json';
import type { AdmissionAttributes, AdmissionPlugin, ResourceTarget } from '../types.ts';
import {
  hasSignerVerb,
  isSigningRequest,
  type SignerParts,
  signerNameOf,
  statusIn,
} from './signer-permission.ts';

const isPodRequest = ({ group, resource, subresource }: ResourceTarget): boolean =>
  group === 'certificates' && resource === 'podcertificaterequests' && subresource === 'status';

/**
 * Reports whether the write changes what only the signer may set: the certificate, or a condition such as `Failed`; all
 * of the status of a request for a pod.
 */
function changesSignerFields(write: AdmissionAttributes): boolean {
  const next = statusIn(write.object);
  const old = statusIn(write.oldObject);
  if (isPodRequest(write)) return !jsonEquals(next, old);
  return ['certificate', 'conditions'].some((field) => !jsonEquals(next[field], old[field]));
}

/** `CertificateSigning`: the certificate and the conditions in the status are set only by users with the verb `sign` on the signer. */
export function certificateSigning(parts: SignerParts): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (target) =>
      target.operation === 'UPDATE' && (isSigningRequest(target, 'status') || isPodRequest(target)),
    async validate(write) {
      if (!changesSignerFields(write)) return undefined;
      const signerName = signerNameOf(write);
      return (await hasSignerVerb(parts, write, { verb: 'sign', signerName }))
        ? undefined
        : `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`;
    },
  };
}
