import { defineResource, statusSubresource, strategyOf } from '../../define-resource.ts';
import { asObject, asObjects, asText, specOf } from '../../read.ts';
import type { ResourceType, TableDefinition } from '../../resource-type.ts';
import { keepStatus, statusRules } from '../../status-strategy.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { unset } from '../shared/unset-cell.ts';
import { ValidatingAdmissionPolicy } from './v1alpha1.ts';

const policyTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Validations', 'Number of expressions.', { type: 'integer' }),
    column('ParamKind', 'Kind of the objects that hold parameters.'),
    ageColumn,
  ],
  cells(policy) {
    const spec = specOf(policy);
    const { apiVersion, kind } = asObject(spec['paramKind']);
    const params = spec['paramKind'] === undefined ? unset : `${asText(apiVersion)}/${asText(kind)}`;
    return [nameCell(policy), asObjects(spec['validations']).length, params, ageCell(policy)];
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
