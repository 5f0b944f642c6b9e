import type * as certificates from '@orch/kinds/certificates';
import { defineResource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { column, nameCell, nameColumn } from '../../table.ts';
import { ClusterTrustBundle } from './v1.ts';
import { validateTrustBundle } from './validation.ts';

const signerOf = (bundle: certificates.ClusterTrustBundle): string => bundle.spec?.signerName ?? '';

export const clusterTrustBundles: ResourceType = defineResource({
  group: 'certificates',
  resource: 'clustertrustbundles',
  kind: 'ClusterTrustBundle',
  namespaced: false,
  nameFormat: 'pathSegment',
  versions: [
    { version: 'v1', schema: ClusterTrustBundle, introduced: '1.37' },
    {
      version: 'v1beta1',
      schema: ClusterTrustBundle,
      introduced: '1.33',
      deprecated: '1.37',
      removed: '1.40',
      servedByDefault: false,
    },
    {
      version: 'v1alpha1',
      schema: ClusterTrustBundle,
      introduced: '1.27',
      deprecated: '1.34',
      removed: '1.37',
      replacement: 'none',
      announced: { before: '1.32', deprecated: '1.29', removed: '1.32', replacement: 'none' },
    },
  ],
  table: {
    columns: [nameColumn, column('SignerName', 'Signer whose certificates it verifies.')],
    cells: (bundle) => [nameCell(bundle), signerOf(bundle)],
  },
  strategy: strategyOf<certificates.ClusterTrustBundle>({
    unconditionalUpdate: false,
    validate: validateTrustBundle,
  }),
  fields: { 'spec.signerName': textField('spec.signerName') },
});
