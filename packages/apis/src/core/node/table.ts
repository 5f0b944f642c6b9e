import type { Node, NodeStatus } from '@orch/kinds/core';
import type { Names } from '@orch/machinery';
import type { TableDefinition } from '../../resource-type.ts';
import {
  ageCell,
  ageColumn,
  column,
  nameCell,
  nameColumn,
  orNone,
  orUnknown,
  wideColumn,
} from '../../table.ts';

/** The value of a field whose served name depends on the naming: types and declarations have its canonical name. */
const servedField = <T extends object, K extends keyof T & string>(
  object: T,
  canonical: K,
  names: Names,
): T[K] => object[names.field(canonical) as K];

function statusText(node: Node): string {
  const ready = (node.status?.conditions ?? []).find((condition) => condition.type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return node.spec?.unschedulable === true ? `${text},SchedulingDisabled` : text;
}

/** Roles are labels: one per role with a common prefix, or one label that names the role. */
function rolesText(node: Node, names: Names): string {
  const labels = node.metadata.labels ?? {};
  const prefix = names.labelPrefixes.nodeRole;
  const roles = Object.keys(labels)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
  const named = labels[names.labels.role];
  const all = new Set([...roles, named ?? ''].filter((role) => role !== ''));
  return orNone([...all].sort().join(','));
}

const addressText = (status: NodeStatus, type: string): string =>
  orNone((status.addresses ?? []).find((address) => address.type === type)?.address ?? '');

export const nodeTable: TableDefinition<Node> = {
  columns: [
    nameColumn,
    column('Status', 'Whether the node can run pods, and whether new ones are placed on it.'),
    column('Roles', 'Roles of the node, according to its labels.'),
    ageColumn,
    column('Version', 'Version of the node agent.'),
    wideColumn('Internal-IP', 'First address within the cluster.'),
    wideColumn('External-IP', 'First address outside the cluster.'),
    wideColumn('OS-Image', 'Operating system of the node.'),
    wideColumn('Kernel-Version', 'Version of its kernel.'),
    wideColumn('Container-Runtime', 'Name and version of its container runtime.'),
  ],
  cells(node, names) {
    const status = node.status ?? {};
    const info = status.nodeInfo ?? {};
    return [
      nameCell(node),
      statusText(node),
      rolesText(node, names),
      ageCell(node),
      servedField(info, 'nodeagentVersion', names) ?? '',
      addressText(status, 'InternalIP'),
      addressText(status, 'ExternalIP'),
      orUnknown(info.osImage ?? ''),
      orUnknown(info.kernelVersion ?? ''),
      orUnknown(info.containerRuntimeVersion ?? ''),
    ];
  },
};
