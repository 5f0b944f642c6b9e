import type { CertificateSigningRequestSpecV1beta1 } from '@orch/kinds/certificates';
import type { Names } from '@orch/machinery';
import { type CertificateRequest, DerError, parseCertificateRequest } from '@orch/pki/x509';

/** Usages of requests that specify none. */
export const defaultUsages: readonly string[] = ['digital signature', 'key encipherment'];

const haveExactly = (usages: readonly string[], expected: readonly string[]): boolean =>
  usages.length === expected.length && expected.every((usage) => usages.includes(usage));

/** Reports whether the request is for a certificate of a node. */
const isOfNode = ({ commonName, organizations }: CertificateRequest, names: Names): boolean =>
  organizations.length === 1 &&
  organizations[0] === names.userGroups.nodes &&
  commonName.startsWith(names.users.nodePrefix);

function parsed(request: string): CertificateRequest | undefined {
  try {
    return parseCertificateRequest(request);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** The default signer of a request: one of those for nodes if the request fits (spec 5.15). */
export function defaultSigner(spec: CertificateSigningRequestSpecV1beta1, names: Names): string {
  const { signers } = names;
  const request = parsed(spec.request ?? '');
  if (request === undefined || !isOfNode(request, names)) return signers.legacyUnknown;
  const usages = spec.usages ?? [];
  const hosts = request.dnsNames.length + request.ipAddresses.length;
  if (request.emailAddresses.length + request.uris.length > 0) return signers.legacyUnknown;
  if (hosts === 0 && haveExactly(usages, [...defaultUsages, 'client auth'])) {
    return signers.apiserverClientNodeagent;
  }
  return hosts > 0 && haveExactly(usages, [...defaultUsages, 'server auth'])
    ? signers.nodeagentServing
    : signers.legacyUnknown;
}
