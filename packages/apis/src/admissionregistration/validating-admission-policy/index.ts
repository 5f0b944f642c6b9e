import type * as admissionregistration from '@orch/kinds/admissionregistration';
import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusOnlyRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { onRequest } from '../shared/policy/lifecycle.ts';
import { paramKindText } from '../shared/policy/param-kind.ts';
import { reservedNameWarnings } from '../shared/warnings.ts';
import { validatingAdmissionPolicyOf } from './policy-of.ts';

const policyTable: TableDefinition<admissionregistration.ValidatingAdmissionPolicy> = {
  columns: [
    nameColumn,
    column('Validations', 'Number of expressions.', { type: 'integer' }),
    column('ParamKind', 'Kind of the objects that hold parameters.'),
    ageColumn,
  ],
  cells(policy) {
    const { paramKind, validations = [] } = policy.spec ?? {};
    return [nameCell(policy), validations.length, paramKindText(paramKind), ageCell(policy)];
  },
};

export const validatingAdmissionPolicies: ResourceType = defineResource({
  group: 'admissionregistration',
  resource: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
  unqualifiedFinalizers: true,
  categories: ['api-extensions'],
  versions: [
    { version: 'v1', schema: validatingAdmissionPolicyOf('v1'), servedByDefault: '1.30' },
    {
      version: 'v1beta1',
      schema: validatingAdmissionPolicyOf('v1beta1'),
      deprecated: '1.31',
      removed: '1.34',
      replacement: 'none',
      ...onRequest,
    },
    {
      version: 'v1alpha1',
      schema: validatingAdmissionPolicyOf('v1alpha1'),
      introduced: '1.26',
      deprecated: '1.29',
      removed: '1.32',
      replacement: 'none',
      announced: { before: '1.32' },
      differs: {
        subresources: [
          {
            ...statusSubresource('ValidatingAdmissionPolicy', 'admissionregistration', 'v1alpha1'),
            introduced: '1.27',
          },
        ],
      },
    },
  ],
  table: policyTable,
  strategy: strategyOf<admissionregistration.ValidatingAdmissionPolicy>({
    unconditionalUpdate: false,
    generation: 'spec',
    resetStatus: true,
    prepareForUpdate: keepStatus,
    warnings: reservedNameWarnings,
    through: { status: statusOnlyRules() },
  }),
  subresources: [statusSubresource('ValidatingAdmissionPolicy', 'admissionregistration')],
});
