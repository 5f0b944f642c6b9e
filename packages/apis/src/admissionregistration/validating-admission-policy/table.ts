import { asObject, asObjects, asText, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { unset } from '../shared/unset-cell.ts';

export const policyTable: TableDefinition = {
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
