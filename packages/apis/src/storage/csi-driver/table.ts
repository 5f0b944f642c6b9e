import type { CSIDriver } from '@orch/kinds/storage';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';
import { flagColumn } from '../shared/flag-column.ts';

const withCapacity = { since: '1.21', gate: 'CSIStorageCapacity' } as const;

const withTokens = { since: '1.21', gate: 'CSIServiceAccountToken' } as const;

export const csiDriverTable: TableDefinition<CSIDriver> = {
  columns: [
    nameColumn,
    flagColumn('AttachRequired', 'Whether volumes are attached before they are mounted.'),
    flagColumn('PodInfoOnMount', 'Whether the driver receives information about the pod.'),
    flagColumn('StorageCapacity', 'Whether the driver reports how much storage is left.', withCapacity),
    column('TokenRequests', 'Audiences of the tokens that it receives.', withTokens),
    flagColumn(
      'RequiresRepublish',
      'Whether it is called again and again while a volume is mounted.',
      withTokens,
    ),
    column('Modes', 'Lifetimes of its volumes.'),
    ageColumn,
  ],
  cells(driver) {
    const spec = driver.spec ?? {};
    const audiences = (spec.tokenRequests ?? []).map((request) => request.audience ?? '');
    return [
      nameCell(driver),
      spec.attachRequired !== false,
      spec.podInfoOnMount === true,
      spec.storageCapacity === true,
      spec.tokenRequests === undefined ? '<unset>' : audiences.join(','),
      spec.requiresRepublish === true,
      orNone((spec.volumeLifecycleModes ?? []).join(',')),
      ageCell(driver),
    ];
  },
};
