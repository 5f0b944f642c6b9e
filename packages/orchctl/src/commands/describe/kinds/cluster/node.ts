import type { kinds } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { type DescribeContext, describer, listAll } from '../../describer.ts';
import { subjectOf } from '../../events.ts';
import { describeNodePods } from '../../pods/node-pods.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { timeText } from '../../text/times.ts';
import { sortedBy, sortedEntries } from '../../text/values.ts';

type Node = kinds.core.Node;

export const node = describer<Node>({
  group: 'core',
  kind: 'Node',
  versions: ['v1'],
  // Agents of nodes use the name as the uid of their events.
  events: (object) => [subjectOf(object), { ...subjectOf(object), uid: object.metadata.name ?? '' }],
  async describe(out, object, context) {
    const { metadata, spec } = object;
    const pods = await podsOn(metadata.name ?? '', context);
    out.fields(0, { Name: metadata.name, Roles: rolesText(object, context) });
    describeLabels(out, { metadata, names: context.names });
    out.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
    out.list('Taints', taintTexts(object));
    out.field(0, 'Unschedulable', spec?.unschedulable ?? false);
    await describeLease(out, metadata.name ?? '', context);
    describeConditions(out, object);
    describeStatus(out, object, context);
    if (spec?.podCIDR) out.field(0, 'PodCIDR', spec.podCIDR);
    if ((spec?.podCIDRs ?? []).length > 0) out.field(0, 'PodCIDRs', spec?.podCIDRs?.join(','));
    if (spec?.providerID) out.field(0, 'ProviderID', spec.providerID);
    if (pods === undefined) out.field(0, 'Pods', 'not authorized');
    else describeNodePods(out, { node: object, pods, nowMs: context.nowMs });
  },
});

/** The pods of a node that have not ended; undefined when the user may not list them. */
async function podsOn(
  name: string,
  context: DescribeContext,
): Promise<readonly kinds.core.Pod[] | undefined> {
  const fieldSelector = `spec.nodeName=${name},status.phase!=Failed,status.phase!=Succeeded`;
  try {
    return await listAll(context.typed.core.v1.pods, context, { fieldSelector });
  } catch (error) {
    if (error instanceof ApiError && error.status.code === 403) return undefined;
    throw error;
  }
}

function rolesText({ metadata }: Node, { names }: DescribeContext): string {
  const prefix = names.labelPrefixes.nodeRole;
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix)) return [key.slice(prefix.length)];
    return key === names.labels.role ? [value] : [];
  });
  const named = [...new Set(roles.filter((role) => role !== ''))].toSorted();
  return named.length === 0 ? '<none>' : named.join(',');
}

const taintTexts = ({ spec }: Node): readonly string[] =>
  sortedBy(spec?.taints, ({ effect, key }) => `${effect},${key}`).map(({ key, value = '', effect }) => {
    const pair = value === '' ? key : `${key}=${value}`;
    return effect === '' ? (value === '' ? key : `${pair}:`) : `${pair}:${effect}`;
  });

async function describeLease(out: Description, name: string, context: DescribeContext): Promise<void> {
  const leases = context.typed.coordination.v1.leases.in(context.names.namespaces.nodeLease);
  try {
    const { spec = {} } = await leases.get(name, {}, context.signal);
    out.line(0, 'Lease:');
    out.fields(1, {
      HolderIdentity: spec.holderIdentity ?? '<unset>',
      AcquireTime: spec.acquireTime ? timeText(spec.acquireTime) : '<unset>',
      RenewTime: spec.renewTime ? timeText(spec.renewTime) : '<unset>',
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    out.field(0, 'Lease', `Failed to get lease: ${error.status.message ?? ''}`);
  }
}

function describeConditions(out: Description, { status }: Node): void {
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return;
  out.line(0, 'Conditions:');
  out.line(1, 'Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message');
  out.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const { type, status: state, lastHeartbeatTime, lastTransitionTime, reason, message } of conditions)
    out.line(
      1,
      `${type} `,
      `${state} `,
      `${timeText(lastHeartbeatTime)} `,
      `${timeText(lastTransitionTime)} `,
      `${reason ?? ''} `,
      message ?? '',
    );
}

function describeStatus(out: Description, { status = {} }: Node, { names }: DescribeContext): void {
  out.line(0, 'Addresses:');
  for (const { type, address } of status.addresses ?? []) out.field(1, type, address);
  for (const [title, amounts] of [
    ['Capacity', status.capacity],
    ['Allocatable', status.allocatable],
  ] as const) {
    const entries = sortedEntries(amounts);
    if (entries.length > 0) out.line(0, `${title}:`);
    for (const [resource, quantity] of entries) out.field(1, resource, quantity);
  }
  const info = (status.nodeInfo ?? {}) as Readonly<Record<string, string>>;
  const value = (field: string): string => info[names.field(field)] ?? '';
  out.line(0, 'System Info:');
  out.fields(1, {
    'Machine ID': value('machineID'),
    'System UUID': value('systemUUID'),
    'Boot ID': value('bootID'),
    'Kernel Version': value('kernelVersion'),
    'OS Image': value('osImage'),
    'Operating System': value('operatingSystem'),
    Architecture: value('architecture'),
    'Container Runtime Version': value('containerRuntimeVersion'),
    'Kubelet Version': value('nodeagentVersion'),
    'Kube-Proxy Version': value('orchProxyVersion'),
  });
}
