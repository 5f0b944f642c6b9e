import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import type * as admissionregistration from '../../types/admissionregistration.ts';
import { unset } from '../shared/unset-cell.ts';
import { ValidatingAdmissionPolicy } from './v1alpha1.ts';

const policyTable: TableDefinition<admissionregistration.ValidatingAdmissionPolicyV1alpha1> = {
  columns: [
    nameColumn,
    column('Validations', 'Number of expressions.', { type: 'integer' }),
    column('ParamKind', 'Kind of the objects that hold parameters.'),
    ageColumn,
  ],
  cells(policy) {
    const spec = policy.spec ?? {};
    const { apiVersion, kind } = spec.paramKind ?? {};
    const params = spec.paramKind === undefined ? unset : `${apiVersion ?? ''}/${kind ?? ''}`;
    return [nameCell(policy), (spec.validations ?? []).length, params, ageCell(policy)];
  },
};

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
  strategy: strategyOf<admissionregistration.ValidatingAdmissionPolicyV1alpha1>({
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
