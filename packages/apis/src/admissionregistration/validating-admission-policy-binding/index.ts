import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType } from '../../resource-type.ts';
import { bindingTable } from '../shared/policy/binding.ts';
import { onRequest } from '../shared/policy/lifecycle.ts';
import { reservedNameWarnings } from '../shared/warnings.ts';
import { validatingAdmissionPolicyBindingOf } from './binding-of.ts';

export const validatingAdmissionPolicyBindings: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
  namespaced: false,
  unqualifiedFinalizers: true,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: validatingAdmissionPolicyBindingOf('v1'), servedByDefault: '1.30' },
    {
      version: 'v1beta1',
      schema: validatingAdmissionPolicyBindingOf('v1beta1'),
      deprecated: '1.31',
      removed: '1.34',
      replacement: 'none',
      ...onRequest,
    },
    {
      version: 'v1alpha1',
      schema: validatingAdmissionPolicyBindingOf('v1alpha1'),
      introduced: '1.26',
      deprecated: '1.29',
      removed: '1.32',
      replacement: 'none',
      announced: { before: '1.32' },
    },
  ],
  table: bindingTable,
  strategy: strategyOf({ unconditionalUpdate: false, generation: 'spec', warnings: reservedNameWarnings }),
});
