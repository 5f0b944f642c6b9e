import type { AdmissionPlugin } from '../types.ts';
import { hasSignerVerb, isSigningRequest, type SignerParts, signerNameOf } from './signer-permission.ts';

/** `CertificateApproval`: a write of `/approval` requires the verb `approve` on the signer, not only on the path. */
export function certificateApproval(parts: SignerParts): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (target) => target.operation === 'UPDATE' && isSigningRequest(target, 'approval'),
    async validate(write) {
      const signerName = signerNameOf(write);
      return (await hasSignerVerb(parts, write, { verb: 'approve', signerName }))
        ? undefined
        : `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`;
    },
  };
}
