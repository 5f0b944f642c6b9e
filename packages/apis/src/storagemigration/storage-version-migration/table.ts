import type { StorageVersionMigration } from '@orch/kinds/storagemigration';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';
import { isConditionTrue } from './conditions.ts';

/** `widgets.example.com`; resources of the core group have no suffix. */
function resourceText({ spec }: StorageVersionMigration): string {
  const { group = '', resource = '' } = spec?.resource ?? {};
  return group === '' ? resource : `${resource}.${group}`;
}

/** The state shown by the conditions, the final ones first. */
const stateText = (migration: StorageVersionMigration): string =>
  ['Failed', 'Succeeded', 'Running'].find((state) => isConditionTrue(migration, state)) ?? 'Pending';

export const storageVersionMigrationTable: TableDefinition<StorageVersionMigration> = {
  columns: [
    nameColumn,
    column('Resource', 'Resource whose objects are stored again.'),
    column('State', 'Pending, Running, Succeeded or Failed.'),
    ageColumn,
  ],
  cells: (migration) => [
    nameCell(migration),
    resourceText(migration),
    stateText(migration),
    ageCell(migration),
  ],
};
