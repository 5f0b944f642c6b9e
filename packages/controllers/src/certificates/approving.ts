import type { Names } from '@orch/machinery';
import { type CertificateRequest, DerError, parseCertificateRequest } from '@orch/pki/x509';
import { isForNodeClient } from './signer-rules.ts';
import { is, type NewCondition, type SigningRequest } from './signing-request.ts';

/** A kind of request that may be approved without anybody looking at it. */
export interface Recognized {
  /** What the requester must be allowed to create: a subresource that exists for this question alone. */
  readonly subresource: 'nodeclient' | 'selfnodeclient';
  readonly approval: NewCondition;
}

const approval = (message: string): NewCondition => ({ type: 'Approved', reason: 'AutoApproved', message });

const nodeClient: Recognized = {
  subresource: 'nodeclient',
  approval: approval('Auto approving node client certificate after SubjectAccessReview.'),
};
const selfNodeClient: Recognized = {
  subresource: 'selfnodeclient',
  approval: approval('Auto approving self node client certificate after SubjectAccessReview.'),
};

/** The PKCS#10 request in an object; undefined when there is none that can be read. */
export function readRequest({ request }: Pick<SigningRequest, 'request'>): CertificateRequest | undefined {
  try {
    return parseCertificateRequest(request);
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

/** A request about which nothing was decided yet. */
export const isPending = (request: SigningRequest): boolean =>
  !is(request, 'Approved', 'Denied', 'Failed') && request.certificate === '';

/**
 * As what a pending request can be approved (spec 5.15), in the order in which it is tried: a certificate that a node
 * asks for itself with, and one that somebody asks for on behalf of a node. Empty for all requests that wait for people.
 */
export function recognized(signing: SigningRequest, names: Names): readonly Recognized[] {
  const { signerName, usages, requester } = signing;
  const isOfSigner = signerName === undefined || signerName === names.signers.apiserverClientNodeagent;
  if (!isPending(signing) || !isOfSigner) return [];
  const request = readRequest(signing);
  if (request === undefined || !isForNodeClient({ request, usages }, names)) return [];
  return request.commonName === requester.username ? [selfNodeClient, nodeClient] : [nodeClient];
}

/** The question whether the requester may have this. */
export function accessReview(
  { requester }: SigningRequest,
  { subresource }: Recognized,
  names: Names,
): Readonly<Record<string, unknown>> {
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
