import { type FieldOptions, f, items, type StructSchema, struct } from '@orch/schema';
import { Condition } from '../../meta/condition.ts';
import { metadataField, statusField } from '../../meta/standard-fields.ts';

const MAX_UID_BYTES = 128;
const MAX_REQUEST_BYTES = 10 * 1024;
const MAX_KEY_BYTES = 10 * 1024;
const DAY_SECONDS = 86_400;

const named = { presence: 'always', openapiRequired: true } as const;
const uid = { ...named, maxBytes: MAX_UID_BYTES } as const;
/** Fields of the first two releases with the kind, in place of which later ones have a signing request. */
const separateKey: FieldOptions = {
  presence: 'always',
  openapiRequired: { since: '1.36', is: false },
  until: '1.37',
};

const PodCertificateRequestSpec = struct(
  'certificates.v1.PodCertificateRequestSpec',
  'The pod that needs a certificate, its key, and the signer. It cannot change later.',
  {
    signerName: f.string(1, { doc: 'Signer that is to issue the certificate.', ...named }),
    podName: f.string(2, { doc: 'Name of the pod.', ...named, format: 'dns1123subdomain' }),
    podUID: f.string(3, { doc: 'Identity of the pod.', ...uid }),
    serviceAccountName: f.string(4, {
      doc: 'Service account of the pod.',
      ...named,
      format: 'dns1123subdomain',
    }),
    serviceAccountUID: f.string(5, { doc: 'Identity of the service account.', ...uid }),
    nodeName: f.string(6, { doc: 'Node on which the pod runs.', ...named, format: 'dns1123subdomain' }),
    nodeUID: f.string(7, { doc: 'Identity of the node.', ...uid }),
    maxExpirationSeconds: f.int32(8, {
      doc: 'Longest validity of the certificate; the signer may shorten it.',
      presence: 'pointer',
      default: DAY_SECONDS,
    }),
    pkixPublicKey: f.bytes(9, {
      doc: 'Public key, as a SubjectPublicKeyInfo in DER.',
      maxBytes: MAX_KEY_BYTES,
      ...separateKey,
    }),
    proofOfPossession: f.bytes(10, {
      doc: 'Signature of the identity of the pod by the private key.',
      maxBytes: MAX_KEY_BYTES,
      ...separateKey,
    }),
    stubPKCS10Request: f.bytes(12, {
      doc: 'PKCS#10 request in DER with the public key, signed by the private key; signers read nothing else of it.',
      presence: 'always',
      openapiRequired: true,
      maxBytes: MAX_REQUEST_BYTES,
      since: '1.36',
    }),
    unverifiedUserAnnotations: f.map(11, items.string, {
      doc: 'Information of the author of the pod for the signer, by keys with a domain. Nobody has verified it.',
      since: '1.35',
    }),
  },
);

const PodCertificateRequestStatus = struct(
  'certificates.v1.PodCertificateRequestStatus',
  'The certificate, or why there is none. It is final once it has a condition.',
  {
    conditions: f.list(1, Condition, {
      doc: 'Issued, Denied or Failed, whose status is True; at most one of them.',
      listType: 'map',
      mapKeys: ['type'],
      patchStrategy: 'merge',
      patchMergeKey: 'type',
      uniqueBy: 'type',
    }),
    certificateChain: f.string(2, {
      doc: 'The certificate and those between it and the root, in PEM, in this order.',
    }),
    notBefore: f.time(4, { doc: 'When the certificate becomes valid.', presence: 'pointer' }),
    beginRefreshAt: f.time(5, { doc: 'When the node begins to renew it.', presence: 'pointer' }),
    notAfter: f.time(6, { doc: 'When the certificate expires.', presence: 'pointer' }),
  },
);

export const PodCertificateRequest: StructSchema = struct(
  'certificates.v1.PodCertificateRequest',
  'A request of a node for a certificate of a pod.',
  {
    metadata: metadataField,
    spec: f.struct(2, PodCertificateRequestSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
    status: statusField(PodCertificateRequestStatus),
  },
  { typeMeta: true },
);
