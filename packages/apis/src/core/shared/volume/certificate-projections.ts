import { f, items, struct } from '@orch/schema';
import { LabelSelector } from '../../../meta/label-selector.ts';
import { checkPodCertificate, checkTrustBundleProjection } from './certificate-validation.ts';
import { fileUserField } from './source-fields.ts';

export const ClusterTrustBundleProjection = struct(
  'core.v1.ClusterTrustBundleProjection',
  'Certificates of trust bundles in one file.',
  {
    name: f.string(1, { doc: 'Name of one bundle; this or signerName.', presence: 'pointer' }),
    signerName: f.string(2, { doc: 'Signer whose bundles are used.', presence: 'pointer' }),
    labelSelector: f.struct(3, LabelSelector, {
      doc: 'Labels of the bundles of the signer; all when empty, none when absent.',
      presence: 'pointer',
    }),
    optional: f.bool(5, { doc: 'The bundles may be missing.', presence: 'pointer' }),
    path: f.string(4, { doc: 'File to write, relative to the volume.', presence: 'always', required: true }),
    user: fileUserField(6),
  },
  { checks: [checkTrustBundleProjection] },
);

export const PodCertificateProjection = struct(
  'core.v1.PodCertificateProjection',
  'A private key of the pod, and a certificate that a signer issues for it.',
  {
    signerName: f.string(1, {
      doc: 'Signer that issues the certificate.',
      required: true,
      openapiRequired: true,
    }),
    keyType: f.string(2, {
      doc: 'RSA3072, RSA4096, ECDSAP256, ECDSAP384, ECDSAP521 or ED25519.',
      required: true,
      openapiRequired: true,
      enum: ['ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519', 'RSA3072', 'RSA4096'],
      openapiEnum: 'never',
    }),
    maxExpirationSeconds: f.int32(3, {
      doc: 'Longest validity of the certificate.',
      presence: 'pointer',
      min: 3600,
      max: 7_862_400,
    }),
    credentialBundlePath: f.string(4, { doc: 'File for the key and the certificates together.' }),
    keyPath: f.string(5, { doc: 'File for the key.' }),
    certificateChainPath: f.string(6, { doc: 'File for the certificates.' }),
    userAnnotations: f.map(7, items.string, {
      doc: 'Information for the signer, by keys with a domain.',
      since: '1.35',
    }),
    user: fileUserField(8),
  },
  { checks: [checkPodCertificate] },
);
