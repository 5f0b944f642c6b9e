import { asObjects, asStrings, asText } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const shown = 3;

/** The first of some texts, and how many more there are. */
function listText(all: readonly string[]): string {
  const text = all.slice(0, shown).join(',');
  if (all.length > shown) return `${text} + ${all.length - shown} more...`;
  return text === '' ? '<unset>' : text;
}

export const endpointSliceTable: TableDefinition = {
  columns: [
    nameColumn,
    column('AddressType', 'What the addresses are: IPv4, IPv6 or FQDN.'),
    column('Ports', 'Ports that every endpoint has.'),
    column('Endpoints', 'Addresses of the endpoints.'),
    ageColumn,
  ],
  cells: (slice) => [
    nameCell(slice),
    asText(slice['addressType']),
    listText(
      asObjects(slice['ports']).map(({ name, port }) =>
        port === undefined ? asText(name) || '*' : `${port}`,
      ),
    ),
    listText(asObjects(slice['endpoints']).flatMap((endpoint) => asStrings(endpoint['addresses']))),
    ageCell(slice),
  ],
};
