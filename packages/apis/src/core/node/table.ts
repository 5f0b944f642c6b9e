import type { ApiObject, Names } from '@orch/machinery';
import { asObject, asObjects, asText, type JsonObject, specOf, statusOf } from '../../read.ts';
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

function statusText(node: ApiObject): string {
  const ready = asObjects(statusOf(node)['conditions']).find((condition) => condition['type'] === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady';
  return specOf(node)['unschedulable'] === true ? `${text},SchedulingDisabled` : text;
}

/** Roles are labels: one per role below a prefix, or one label that names it. */
function rolesText(node: ApiObject, names: Names): string {
  const labels = node.metadata.labels ?? {};
  const prefix = names.labelPrefixes.nodeRole;
  const roles = Object.keys(labels)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
  const named = labels[names.labels.role];
  const all = new Set([...roles, named ?? ''].filter((role) => role !== ''));
  return orNone([...all].sort().join(','));
}

const addressText = (status: JsonObject, type: string): string =>
  orNone(asText(asObjects(status['addresses']).find((address) => address['type'] === type)?.['address']));

export const nodeTable: TableDefinition = {
  columns: [
    nameColumn,
    column('Status', 'Whether the node can run pods, and whether new ones are placed on it.'),
    column('Roles', 'Roles that its labels give the node.'),
    ageColumn,
    column('Version', 'Version of the node agent.'),
    wideColumn('Internal-IP', 'First address within the cluster.'),
    wideColumn('External-IP', 'First address outside the cluster.'),
    wideColumn('OS-Image', 'Operating system of the node.'),
    wideColumn('Kernel-Version', 'Version of its kernel.'),
    wideColumn('Container-Runtime', 'Name and version of its container runtime.'),
  ],
  cells(node, names) {
    const status = statusOf(node);
    const info = asObject(status['nodeInfo']);
    return [
      nameCell(node),
      statusText(node),
      rolesText(node, names),
      ageCell(node),
      asText(info[names.field('nodeagentVersion')]),
      addressText(status, 'InternalIP'),
      addressText(status, 'ExternalIP'),
      orUnknown(asText(info['osImage'])),
      orUnknown(asText(info['kernelVersion'])),
      orUnknown(asText(info['containerRuntimeVersion'])),
    ];
  },
};
