import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { bindingTable } from '../shared/policy/binding.ts';
import { onRequest } from '../shared/policy/lifecycle.ts';
import { reservedNameWarnings } from '../shared/warnings.ts';
import { mutatingAdmissionPolicyBindingOf } from './binding-of.ts';

export const mutatingAdmissionPolicyBindings: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'mutatingadmissionpolicybindings',
  kind: 'MutatingAdmissionPolicyBinding',
  namespaced: false,
  unqualifiedFinalizers: true,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: mutatingAdmissionPolicyBindingOf('v1'), servedByDefault: '1.36' },
    {
      version: 'v1beta1',
      schema: mutatingAdmissionPolicyBindingOf('v1beta1'),
      deprecated: '1.37',
      removed: '1.40',
      ...onRequest,
    },
    {
      version: 'v1alpha1',
      schema: mutatingAdmissionPolicyBindingOf('v1alpha1'),
      deprecated: '1.35',
      removed: '1.38',
      replacement: 'none',
      ...onRequest,
    },
  ],
  table: bindingTable,
  strategy: strategyOf({ unconditionalUpdate: false, generation: 'spec', warnings: reservedNameWarnings }),
});
