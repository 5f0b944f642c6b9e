import type { Names } from '@orch/machinery';
import { parseCertificateRequest } from '@orch/pki/x509';
import type { AdmissionPlugin } from '../types.ts';
import { isSigningRequest, signerNameOf, specIn } from './signer-permission.ts';

/**
 * `CertificateSubjectRestriction`: nobody asks the signer of client certificates for one of the group `system:masters`,
 * which may do everything and whose certificates cannot be revoked.
 */
export function certificateSubjectRestriction({ names }: { readonly names: Names }): AdmissionPlugin {
  const signer = names.signers.apiserverClient;
  const group = names.userGroups.masters;
  return {
    name: 'CertificateSubjectRestriction',
    concerns: (target) => target.operation === 'CREATE' && isSigningRequest(target, ''),
    refuses(write) {
      if (signerNameOf(write) !== signer) return undefined;
      // Validation has read the request before: it can be read here.
      const { organizations } = parseCertificateRequest(String(specIn(write.object)['request']));
      return organizations.includes(group)
        ? `use of ${signer} signer with ${group} group is not allowed`
        : undefined;
    },
  };
}
