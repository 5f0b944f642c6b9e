import { defineResource, statusSubresource } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { certificateSigningRequestStrategy } from './strategy.ts';
import { csrTable, csrTableBefore118, csrTableBefore122 } from './table.ts';
import { CertificateSigningRequest } from './v1.ts';
import { CertificateSigningRequestV1Beta1, certificateSigningRequestLens } from './v1beta1.ts';

const kind = 'CertificateSigningRequest';

export const certificateSigningRequests: ResourceType = defineResource({
  group: 'certificates',
  resource: 'certificatesigningrequests',
  kind,
  namespaced: false,
  shortNames: ['csr'],
  nameFormat: 'pathSegment',
  versions: [
    { version: 'v1', schema: CertificateSigningRequest, introduced: '1.19' },
    {
      version: 'v1beta1',
      schema: CertificateSigningRequestV1Beta1,
      lens: certificateSigningRequestLens,
      introduced: '1.12',
      deprecated: '1.19',
      removed: '1.22',
    },
  ],
  table: csrTable,
  earlier: [
    { before: '1.22', change: { table: csrTableBefore122 } },
    { before: '1.18', change: { table: csrTableBefore118 } },
  ],
  strategy: certificateSigningRequestStrategy,
  subresources: [
    {
      name: 'approval',
      kind: { group: 'certificates', version: 'v1', kind },
      verbs: ['get', 'patch', 'update'],
      behaviour: 'approval',
    },
    statusSubresource(kind, 'certificates'),
  ],
  fields: { 'spec.signerName': textField('spec.signerName') },
});
