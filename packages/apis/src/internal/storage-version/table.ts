import type { ServerStorageVersionV1alpha1, StorageVersionV1alpha1 } from '@orch/kinds/apiserverinternal';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const MAX_SHOWN = 3;

/** The first servers with their versions, and the number of further ones. */
function serversText(servers: readonly ServerStorageVersionV1alpha1[] = []): string {
  const all = servers.map((server) => `${server.apiServerID ?? ''}=${server.encodingVersion ?? ''}`);
  const text = all.slice(0, MAX_SHOWN).join(',');
  return all.length > MAX_SHOWN ? `${text} + ${all.length - MAX_SHOWN} more...` : text;
}

export const storageVersionTable: TableDefinition<StorageVersionV1alpha1> = {
  columns: [
    nameColumn,
    column('CommonEncodingVersion', 'Version in which all servers write.'),
    column('StorageVersions', 'Version that each server writes.'),
    ageColumn,
  ],
  cells(version) {
    const { commonEncodingVersion, storageVersions } = version.status ?? {};
    return [
      nameCell(version),
      commonEncodingVersion === undefined ? '<unset>' : (commonEncodingVersion ?? ''),
      serversText(storageVersions),
      ageCell(version),
    ];
  },
};
