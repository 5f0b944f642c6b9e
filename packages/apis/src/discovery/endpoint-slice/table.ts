import type { EndpointSlice } from '@orch/kinds/discovery';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn } from '../../table.ts';

const MAX_SHOWN = 3;

/** The first of some strings, and the number of further ones. */
function listText(all: readonly string[]): string {
  const text = all.slice(0, MAX_SHOWN).join(',');
  if (all.length > MAX_SHOWN) return `${text} + ${all.length - MAX_SHOWN} more...`;
  return text === '' ? '<unset>' : text;
}

export const endpointSliceTable: TableDefinition<EndpointSlice> = {
  columns: [
    nameColumn,
    column('AddressType', 'Type of the addresses: IPv4, IPv6 or FQDN.'),
    column('Ports', 'Ports that every endpoint has.'),
    column('Endpoints', 'Addresses of the endpoints.'),
    ageColumn,
  ],
  cells: (slice) => [
    nameCell(slice),
    slice.addressType ?? '',
    listText(
      (slice.ports ?? []).map(({ name, port }) => (port === undefined ? (name ?? '') || '*' : `${port}`)),
    ),
    listText((slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses ?? [])),
    ageCell(slice),
  ],
};
