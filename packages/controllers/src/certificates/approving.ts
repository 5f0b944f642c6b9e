import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import { type CertificateRequest, DerError, parseCertificateRequest } from '@orch/pki/x509';
import { isForNodeClient } from './signer-rules.ts';
import { hasCondition, type NewCondition, type SigningRequest } from './signing-request.ts';

/** A class of requests that are approved automatically when the requester has a permission. */
export interface AutoApproval {
  /** The requester needs `create` on this subresource, which exists for this access review only. */
  readonly subresource: 'nodeclient' | 'selfnodeclient';
  readonly condition: NewCondition;
}

const approved = (message: string): NewCondition => ({ type: 'Approved', reason: 'AutoApproved', message });

const nodeClient: AutoApproval = {
  subresource: 'nodeclient',
  condition: approved('Auto approving node client certificate after SubjectAccessReview.'),
};
const selfNodeClient: AutoApproval = {
  subresource: 'selfnodeclient',
  condition: approved('Auto approving self node client certificate after SubjectAccessReview.'),
};

/** The PKCS#10 request in an object; undefined when it cannot be parsed. */
export function parsedRequest({ request }: Pick<SigningRequest, 'request'>): CertificateRequest | undefined {
  try {
    return parseCertificateRequest(request);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** Reports whether a request is neither approved, denied, failed nor signed. */
const isPending = (request: SigningRequest): boolean =>
  !hasCondition(request, 'Approved', 'Denied', 'Failed') && request.certificate === '';

/**
 * The automatic approvals that a pending request can get (spec 5.15), in the order of evaluation: a client certificate
 * that a node requests for itself, and one requested on behalf of a node. Empty for requests that need manual approval.
 */
export function autoApprovals(signing: SigningRequest, names: Names): readonly AutoApproval[] {
  const { signerName, usages, requester } = signing;
  const isOfSigner = signerName === undefined || signerName === names.signers.apiserverClientNodeagent;
  if (!isPending(signing) || !isOfSigner) return [];
  const request = parsedRequest(signing);
  if (request === undefined || !isForNodeClient({ request, usages }, names)) return [];
  return request.commonName === requester.username ? [selfNodeClient, nodeClient] : [nodeClient];
}

/** The access review for whether the requester may get this approval. */
export function accessReview(
  { requester }: SigningRequest,
  { subresource }: AutoApproval,
  names: Names,
): kinds.authorization.SubjectAccessReview {
  return {
    apiVersion: names.apiVersion('authorization', 'v1'),
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: requester.username,
      uid: requester.uid,
      groups: requester.groups,
      extra: requester.extra,
      resourceAttributes: {
        group: names.group('certificates'),
        version: '*',
        resource: 'certificatesigningrequests',
        subresource,
        verb: 'create',
      },
    },
  };
}
