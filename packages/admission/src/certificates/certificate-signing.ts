import { jsonEquals } from '@orch/machinery';
import type { AdmissionAttributes, AdmissionPlugin } from '../types.ts';
import {
  hasSignerVerb,
  isSigningRequest,
  type SignerParts,
  signerNameOf,
  statusIn,
} from './signer-permission.ts';

/** Whether the write sets the certificate or says something of the request, such as that it failed. */
function speaksForSigner({ object, oldObject }: AdmissionAttributes): boolean {
  const next = statusIn(object);
  const old = statusIn(oldObject);
  return ['certificate', 'conditions'].some((member) => !jsonEquals(next[member], old[member]));
}

/** `CertificateSigning`: the certificate and the conditions in the status are set by who may `sign` for the signer. */
export function certificateSigning(parts: SignerParts): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (target) => target.operation === 'UPDATE' && isSigningRequest(target, 'status'),
    async validate(write) {
      if (!speaksForSigner(write)) return undefined;
      const signerName = signerNameOf(write);
      return (await hasSignerVerb(parts, write, { verb: 'sign', signerName }))
        ? undefined
        : `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`;
    },
  };
}
