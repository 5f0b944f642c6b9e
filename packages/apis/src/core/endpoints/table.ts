import type { EndpointSubset, Endpoints } from '@orch/kinds/core';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, hostPort, nameCell, nameColumn, orNone } from '../../table.ts';

const MAX_SHOWN = 3;

/** The first addresses with their ports, and the number of further ones. */
function endpointsText(subsets: readonly EndpointSubset[]): string {
  const all = subsets.flatMap((subset) => {
    const addresses = (subset.addresses ?? []).map((address) => address.ip ?? '');
    const ports = subset.ports ?? [];
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((address) => hostPort(address, port.port ?? 0)));
  });
  const text = all.slice(0, MAX_SHOWN).join(',');
  return all.length > MAX_SHOWN ? `${text} + ${all.length - MAX_SHOWN} more...` : orNone(text);
}

export const endpointsTable: TableDefinition<Endpoints> = {
  columns: [nameColumn, column('Endpoints', 'Addresses with their ports.'), ageColumn],
  cells: (endpoints) => [nameCell(endpoints), endpointsText(endpoints.subsets ?? []), ageCell(endpoints)],
};
