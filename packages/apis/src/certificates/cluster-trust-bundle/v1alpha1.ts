import { f, struct } from '@orch/schema';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { asText, specOf } from '../../read.ts';
import type { ResourceType } from '../../resource-type.ts';
import { column, nameCell, nameColumn } from '../../table.ts';
import { validateTrustBundle } from './validation.ts';

export const ClusterTrustBundleSpec = struct(
  'certificates.v1alpha1.ClusterTrustBundleSpec',
  'Certificates that are trusted, and for what.',
  {
    signerName: f.string(1, {
      doc: 'Signer whose certificates they vouch for; the name of the object then starts with it. It cannot change later.',
      immutable: true,
    }),
    trustBundle: f.string(2, {
      doc: 'The certificates, in PEM, each once. Their order says nothing.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
);

export const ClusterTrustBundle = struct(
  'certificates.v1alpha1.ClusterTrustBundle',
  'Certificates that workloads in the whole cluster may trust.',
  {
    metadata: f.struct(1, ObjectMeta, {
      doc: 'Name, labels and the other data that every object carries.',
      presence: 'always',
    }),
    spec: f.struct(2, ClusterTrustBundleSpec, {
      doc: 'What its owner wants.',
      presence: 'always',
      openapiRequired: true,
    }),
  },
  { typeMeta: true },
);

const signerOf = (bundle: Parameters<typeof specOf>[0]): string => asText(specOf(bundle)['signerName']);

export const clusterTrustBundles: ResourceType = defineResource({
  group: 'certificates',
  resource: 'clustertrustbundles',
  kind: 'ClusterTrustBundle',
  namespaced: false,
  nameFormat: 'pathSegment',
  versions: [
    {
      version: 'v1alpha1',
      schema: ClusterTrustBundle,
      introduced: '1.27',
      deprecated: '1.34',
      removed: '1.37',
    },
  ],
  table: {
    columns: [nameColumn, column('SignerName', 'Signer whose certificates it vouches for.')],
    cells: (bundle) => [nameCell(bundle), signerOf(bundle)],
  },
  strategy: strategyOf({ unconditionalUpdate: false, validate: validateTrustBundle }),
  fields: { 'spec.signerName': textField('spec.signerName') },
});
