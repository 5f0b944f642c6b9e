import { f, struct } from '@orch/schema';
import { metadataField } from '../../meta/standard-fields.ts';

const ClusterTrustBundleSpec = struct(
  'certificates.v1.ClusterTrustBundleSpec',
  'Certificates that are trusted, and for what.',
  {
    signerName: f.string(1, {
      doc: 'Signer whose certificates they verify; the name of the object then starts with it. It cannot change later.',
      immutable: true,
    }),
    trustBundle: f.string(2, {
      doc: 'The certificates, in PEM, each once. Their order has no meaning.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ClusterTrustBundle = struct(
  'certificates.v1.ClusterTrustBundle',
  'Certificates that workloads in the whole cluster may trust.',
  {
    metadata: metadataField,
    spec: f.struct(2, ClusterTrustBundleSpec, {
      doc: 'Desired state of the object.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);
