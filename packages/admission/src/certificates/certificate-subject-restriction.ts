import type { Names } from '@orch/machinery';
import { parseCertificateRequest } from '@orch/pki/x509';
import type { AdmissionPlugin } from '../types.ts';
import { isSigningRequest, signerNameOf, specIn } from './signer-permission.ts';

/**
 * `CertificateSubjectRestriction`: refuses requests to the signer of client certificates that name the group
 * `system:masters`, which is allowed everything and whose certificates cannot be revoked.
 */
export function certificateSubjectRestriction({ names }: { readonly names: Names }): AdmissionPlugin {
  const signer = names.signers.apiserverClient;
  const group = names.userGroups.masters;
  return {
    name: 'CertificateSubjectRestriction',
    handles: (target) => target.operation === 'CREATE' && isSigningRequest(target, ''),
    validate(write) {
      if (signerNameOf(write) !== signer) return undefined;
      // Validation has already parsed the request successfully.
      const { organizations } = parseCertificateRequest(String(specIn(write.object)['request']));
      return organizations.includes(group)
        ? `use of ${signer} signer with ${group} group is not allowed`
        : undefined;
    },
  };
}
