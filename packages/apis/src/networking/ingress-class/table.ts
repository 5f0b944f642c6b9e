import { asObject, asText, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

function parametersText(value: unknown): string {
  if (value === undefined) return '<none>';
  const { apiGroup, kind, name } = asObject(value);
  const group = asText(apiGroup);
  return `${asText(kind)}${group === '' ? '' : `.${group}`}/${asText(name)}`;
}

export const ingressClassTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Controller', 'Who serves the ingresses of the class.'),
    column('Parameters', 'Object with the settings of the class.'),
    ageColumn,
  ],
  cells(ingressClass) {
    const spec = specOf(ingressClass);
    return [
      nameCell(ingressClass),
      asText(spec['controller']),
      parametersText(spec['parameters']),
      ageCell(ingressClass),
    ];
  },
};
