import { asObjects, asText, statusOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const shown = 3;

/** The first servers with their versions, and how many more there are. */
function serversText(servers: unknown): string {
  const all = asObjects(servers).map(
    (server) => `${asText(server['apiServerID'])}=${asText(server['encodingVersion'])}`,
  );
  const text = all.slice(0, shown).join(',');
  return all.length > shown ? `${text} + ${all.length - shown} more...` : text;
}

export const storageVersionTable: TableDefinition = {
  columns: [
    nameColumn,
    column('CommonEncodingVersion', 'Version in which all servers write.'),
    column('StorageVersions', 'What each server writes.'),
    ageColumn,
  ],
  cells(version) {
    const { commonEncodingVersion, storageVersions } = statusOf(version);
    return [
      nameCell(version),
      commonEncodingVersion === undefined ? '<unset>' : asText(commonEncodingVersion),
      serversText(storageVersions),
      ageCell(version),
    ];
  },
};
