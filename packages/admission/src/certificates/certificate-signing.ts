import { jsonEquals } from '@orch/machinery/json';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import {
  hasSignerVerb,
  isSigningRequest,
  type SignerParts,
  signerNameOf,
  statusIn,
} from './signer-permission.ts';

/** Reports whether the write changes what only the signer may set: the certificate, or a condition such as `Failed`. */
function changesSignerFields({ object, oldObject }: AdmissionAttributes): boolean {
  const next = statusIn(object);
  const old = statusIn(oldObject);
  return ['certificate', 'conditions'].some((field) => !jsonEquals(next[field], old[field]));
}

/** `CertificateSigning`: the certificate and the conditions in the status are set only by users with the verb `sign` on the signer. */
export function certificateSigning(parts: SignerParts): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (target) => target.operation === 'UPDATE' && isSigningRequest(target, 'status'),
    async validate(write) {
      if (!changesSignerFields(write)) return undefined;
      const signerName = signerNameOf(write);
      return (await hasSignerVerb(parts, write, { verb: 'sign', signerName }))
        ? undefined
        : `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`;
    },
  };
}
