import type { MutatingAdmissionPolicy } from '@orch/kinds/admissionregistration';
import { defineResource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { onRequest } from '../shared/policy/lifecycle.ts';
import { paramKindText } from '../shared/policy/param-kind.ts';
import { reservedNameWarnings } from '../shared/warnings.ts';
import { mutatingAdmissionPolicyOf } from './policy-of.ts';

const policyTable: TableDefinition<MutatingAdmissionPolicy> = {
  columns: [
    nameColumn,
    column('Mutations', 'Number of changes.', { type: 'integer' }),
    column('ParamKind', 'Kind of the objects that hold parameters.'),
    ageColumn,
  ],
  cells(policy) {
    const { mutations = [], paramKind } = policy.spec ?? {};
    return [nameCell(policy), mutations.length, paramKindText(paramKind), ageCell(policy)];
  },
};

export const mutatingAdmissionPolicies: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'mutatingadmissionpolicies',
  kind: 'MutatingAdmissionPolicy',
  namespaced: false,
  unqualifiedFinalizers: true,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: mutatingAdmissionPolicyOf('v1'), servedByDefault: '1.36' },
    {
      version: 'v1beta1',
      schema: mutatingAdmissionPolicyOf('v1beta1'),
      deprecated: '1.37',
      removed: '1.40',
      ...onRequest,
    },
    {
      version: 'v1alpha1',
      schema: mutatingAdmissionPolicyOf('v1alpha1'),
      deprecated: '1.35',
      removed: '1.38',
      replacement: 'none',
      ...onRequest,
    },
  ],
  table: policyTable,
  strategy: strategyOf({ unconditionalUpdate: false, generation: 'spec', warnings: reservedNameWarnings }),
});
