import { atLeast } from '@orch/apis';
import type { CertificateSigningRequest } from '@orch/kinds/certificates';
import { DerError, parseCertificateRequest } from '@orch/pki/x509';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';

/** From release 1.32 on, a node requests certificates with the identity of a node only for itself. */
export function refusedSigningRequest({ node, write, parts }: NodeWrite): Refusal | undefined {
  const { names, release } = parts;
  if (write.operation !== 'CREATE' || write.subresource !== '' || !atLeast(release, '1.32')) return undefined;
  const { spec = {} }: CertificateSigningRequest = write.object ?? { metadata: {} };
  const { signers, users } = names;
  if (spec.signerName !== signers.nodeagentServing && spec.signerName !== signers.apiserverClientNodeagent)
    return undefined;
  const expected = `${users.nodePrefix}${node}`;
  return commonNameOf(spec.request ?? '') === expected
    ? undefined
    : `node ${quoted(node)} can only request certificates of nodes with the common name ${quoted(expected)}`;
}

/** The common name in a request; undefined for one that cannot be read. */
function commonNameOf(request: string): string | undefined {
  try {
    return parseCertificateRequest(request).commonName;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}
