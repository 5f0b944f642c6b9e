import { asObjects, asText, type JsonObject } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, hostPort, nameCell, nameColumn, orNone } from '../../table.ts';

const shown = 3;

/** The first addresses with their ports, and how many more there are. */
function endpointsText(subsets: readonly JsonObject[]): string {
  const all = subsets.flatMap((subset) => {
    const addresses = asObjects(subset['addresses']).map((address) => asText(address['ip']));
    const ports = asObjects(subset['ports']);
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((address) => hostPort(address, port['port'])));
  });
  const text = all.slice(0, shown).join(',');
  return all.length > shown ? `${text} + ${all.length - shown} more...` : orNone(text);
}

export const endpointsTable: TableDefinition = {
  columns: [nameColumn, column('Endpoints', 'Addresses with their ports.'), ageColumn],
  cells: (endpoints) => [
    nameCell(endpoints),
    endpointsText(asObjects(endpoints['subsets'])),
    ageCell(endpoints),
  ],
};
