import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { policyTable } from './table.ts';
import { ValidatingAdmissionPolicy } from './v1alpha1.ts';

export const validatingAdmissionPolicies: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
  categories: ['api-extensions'],
  versions: [
    {
      version: 'v1alpha1',
      schema: ValidatingAdmissionPolicy,
      introduced: '1.26',
      deprecated: '1.29',
      removed: '1.32',
    },
  ],
  table: policyTable,
  strategy: strategyOf({
    unconditionalUpdate: false,
    generation: 'spec',
    resetStatus: true,
    prepareForUpdate: keepStatus,
    through: { status: statusRules() },
  }),
  subresources: [
    {
      ...statusSubresource('ValidatingAdmissionPolicy', 'admissionregistration', 'v1alpha1'),
      introduced: '1.27',
    },
  ],
});
