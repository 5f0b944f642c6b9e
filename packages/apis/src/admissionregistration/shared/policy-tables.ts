import { asObject, asObjects, asText, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const unset = '<unset>';

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

export const policyBindingTable: TableDefinition = {
  columns: [
    nameColumn,
    column('PolicyName', 'The policy that is put to use.'),
    column('ParamRef', 'The object that holds the parameters.'),
    ageColumn,
  ],
  cells(binding) {
    const spec = specOf(binding);
    const { name, namespace } = asObject(spec['paramRef']);
    const qualified = asText(namespace) === '' ? asText(name) : `${asText(namespace)}/${asText(name)}`;
    const params = spec['paramRef'] === undefined ? unset : qualified;
    return [nameCell(binding), asText(spec['policyName']), params, ageCell(binding)];
  },
};
