import type * as certificates from '@orch/kinds/certificates';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import { textField } from '../../field-reader.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { podCertificateRequestTable } from './table.ts';
import { PodCertificateRequest } from './v1.ts';
import { validatePodCertificateRequest } from './validation/request.ts';
import { validatePodCertificateStatus } from './validation/status.ts';

const kind = 'PodCertificateRequest';

export const podCertificateRequests: ResourceType = defineResource({
  group: 'certificates',
  resource: 'podcertificaterequests',
  kind,
  namespaced: true,
  versions: [
    { version: 'v1', schema: PodCertificateRequest, introduced: '1.37' },
    {
      version: 'v1beta1',
      schema: PodCertificateRequest,
      introduced: '1.35',
      deprecated: '1.37',
      removed: '1.40',
      servedByDefault: false,
    },
    {
      version: 'v1alpha1',
      schema: PodCertificateRequest,
      introduced: '1.34',
      deprecated: '1.35',
      removed: '1.35',
      replacement: 'none',
    },
  ],
  table: podCertificateRequestTable,
  strategy: strategyOf<certificates.PodCertificateRequest>({
    unconditionalUpdate: false,
    resetStatus: true,
    prepareForUpdate: keepStatus,
    validate: validatePodCertificateRequest,
    through: { status: statusOnlyRules(validatePodCertificateStatus) },
  }),
  subresources: [statusSubresource(kind, 'certificates')],
  fields: {
    'spec.signerName': textField('spec.signerName'),
    'spec.podName': textField('spec.podName'),
    'spec.nodeName': textField('spec.nodeName'),
  },
});
