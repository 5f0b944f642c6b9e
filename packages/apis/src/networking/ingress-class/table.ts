import type { IngressClass, IngressClassParametersReference } from '@orch/kinds/networking';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

function parametersText(value: IngressClassParametersReference | undefined): string {
  if (value === undefined) return '<none>';
  const { apiGroup, kind, name } = value;
  const group = apiGroup ?? '';
  return `${kind ?? ''}${group === '' ? '' : `.${group}`}/${name ?? ''}`;
}

export const ingressClassTable: TableDefinition<IngressClass> = {
  columns: [
    nameColumn,
    column('Controller', 'Controller of the ingresses of the class.'),
    column('Parameters', 'Object with the settings of the class.'),
    ageColumn,
  ],
  cells(ingressClass) {
    const spec = ingressClass.spec ?? {};
    return [
      nameCell(ingressClass),
      spec.controller ?? '',
      parametersText(spec.parameters),
      ageCell(ingressClass),
    ];
  },
};
