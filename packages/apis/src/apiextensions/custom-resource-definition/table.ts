import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import type { TableDefinition } from '../../resource-type.ts';
import { column, nameCell, nameColumn, wideColumn } from '../../table.ts';

const LATER = { since: '1.37' } as const;

/** The served versions; that in which objects are stored is marked. */
const versionsText = ({ spec }: CustomResourceDefinition): string =>
  (spec?.versions ?? [])
    .filter(({ served }) => served === true)
    .map(({ name = '', storage }) => (storage === true ? `${name}(storage)` : name))
    .sort()
    .join(',');

export const customResourceDefinitionTable: TableDefinition<CustomResourceDefinition> = {
  columns: [
    nameColumn,
    column('Scope', 'Cluster or Namespaced.', LATER),
    column('Versions', 'The served versions.', LATER),
    column('Created At', 'When the definition was created.', { type: 'date' }),
    wideColumn('Group', 'Group of the kind.', LATER),
    wideColumn('Kind', 'The kind of the objects.', LATER),
    wideColumn('ShortNames', 'Short names of the resource.', LATER),
    wideColumn('Established', 'Whether the resource is served.', { type: 'boolean', ...LATER }),
  ],
  cells: (definition) => [
    nameCell(definition),
    definition.spec?.scope ?? '',
    versionsText(definition),
    definition.metadata.creationTimestamp ?? null,
    definition.spec?.group ?? '',
    definition.spec?.names?.kind ?? '',
    (definition.spec?.names?.shortNames ?? []).join(','),
    (definition.status?.conditions ?? []).some(
      ({ type, status }) => type === 'Established' && status === 'True',
    ),
  ],
};
