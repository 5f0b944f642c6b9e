import { asNumber, asObject, asObjects, asStrings, asText, type JsonObject, specOf } from '../../read.ts';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, wideColumn } from '../../table.ts';

/** One condition on nodes: `zone In [a,b]`. */
const conditionText = (condition: JsonObject): string => {
  const values = asStrings(condition['values']);
  const words = [asText(condition['key']), asText(condition['operator'])];
  return [...words, ...(values.length === 0 ? [] : [`[${values.join(',')}]`])].join(' ');
};

/** Terms of which one must hold, each of conditions that must all hold. */
function nodesText(selector: unknown): string {
  const terms = asObjects(asObject(selector)['nodeSelectorTerms']).map((term) =>
    [...asObjects(term['matchExpressions']), ...asObjects(term['matchFields'])].map(conditionText).join(','),
  );
  return orNone(terms.join(' || '));
}

export const clusterCidrTable: TableDefinition = {
  columns: [
    nameColumn,
    column('PerNodeHostBits', 'Size of the range of a node, in bits.'),
    column('IPv4', 'Range of IPv4 addresses.'),
    column('IPv6', 'Range of IPv6 addresses.'),
    ageColumn,
    wideColumn('NodeSelector', 'Nodes that the ranges are for.'),
  ],
  cells(object) {
    const spec = specOf(object);
    return [
      nameCell(object),
      String(asNumber(spec['perNodeHostBits'])),
      orNone(asText(spec['ipv4'])),
      orNone(asText(spec['ipv6'])),
      ageCell(object),
      nodesText(spec['nodeSelector']),
    ];
  },
};
