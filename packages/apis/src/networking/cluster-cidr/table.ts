import type { NodeSelector, NodeSelectorRequirement } from '@orch/kinds/core';
import type { ClusterCIDRV1alpha1 } from '@orch/kinds/networking';
import type { TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone, wideColumn } from '../../table.ts';

/** One condition on nodes: `zone In [a,b]`. */
const conditionText = (condition: NodeSelectorRequirement): string => {
  const values = condition.values ?? [];
  const words = [condition.key ?? '', condition.operator ?? ''];
  return [...words, ...(values.length === 0 ? [] : [`[${values.join(',')}]`])].join(' ');
};

/** Terms of which one must hold, each a list of conditions that must all hold. */
function nodesText(selector: NodeSelector | undefined): string {
  const terms = (selector?.nodeSelectorTerms ?? []).map((term) =>
    [...(term.matchExpressions ?? []), ...(term.matchFields ?? [])].map(conditionText).join(','),
  );
  return orNone(terms.join(' || '));
}

export const clusterCidrTable: TableDefinition<ClusterCIDRV1alpha1> = {
  columns: [
    nameColumn,
    column('PerNodeHostBits', 'Size of the range of a node, in bits.'),
    column('IPv4', 'Range of IPv4 addresses.'),
    column('IPv6', 'Range of IPv6 addresses.'),
    ageColumn,
    wideColumn('NodeSelector', 'Nodes that the ranges are for.'),
  ],
  cells(object) {
    const spec = object.spec ?? {};
    return [
      nameCell(object),
      String(spec.perNodeHostBits ?? 0),
      orNone(spec.ipv4 ?? ''),
      orNone(spec.ipv6 ?? ''),
      ageCell(object),
      nodesText(spec.nodeSelector),
    ];
  },
};
