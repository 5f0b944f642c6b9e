import type { kinds } from '@orch/client';
import { type DescribeContext, describer } from '../../describer.ts';
import { subjectOf } from '../../events.ts';
import { describeContainers, describeResources } from '../../pods/containers.ts';
import type { FieldValue } from '../../pods/environment.ts';
import { qosClassOf } from '../../pods/resources.ts';
import { describeSpread, describeTolerations } from '../../pods/scheduling.ts';
import { describeVolumes } from '../../pods/volumes.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { ageText, timeText } from '../../text/times.ts';
import { controllerText, pairsOf } from '../../text/values.ts';

type Pod = kinds.core.Pod;

export const pod = describer<Pod>({
  group: 'core',
  kind: 'Pod',
  versions: ['v1'],
  // Events about a static pod have the uid of its file.
  events: (object) => {
    const { name, namespace, uid = '' } = subjectOf(object);
    const mirrored = Object.entries(object.metadata.annotations ?? {}).find(([key]) =>
      key.endsWith('config.mirror'),
    );
    return [{ name, namespace, uid: mirrored?.[1] ?? uid }];
  },
  describe(out, object, context) {
    describePlace(out, object);
    describeLabels(out, { metadata: object.metadata, names: context.names });
    describeState(out, object, context);
    describeAddresses(out, object);
    describeAllContainers(out, object);
    describeConditions(out, object);
    describeVolumes(out, { volumes: object.spec?.volumes, names: context.names });
    out.field(0, 'QoS Class', qosClassOf(object));
    out.list('Node-Selectors', pairsOf(object.spec?.nodeSelector));
    describeTolerations(out, object.spec?.tolerations);
    describeSpread(out, object.spec?.topologySpreadConstraints);
  },
});

function describePlace(out: Description, { metadata, spec, status }: Pod): void {
  out.fields(0, { Name: metadata.name, Namespace: metadata.namespace });
  if (spec?.priority !== undefined) out.field(0, 'Priority', spec.priority);
  if (spec?.priorityClassName) out.field(0, 'Priority Class Name', spec.priorityClassName);
  if (spec?.runtimeClassName) out.field(0, 'Runtime Class Name', spec.runtimeClassName);
  if (spec?.serviceAccountName) out.field(0, 'Service Account', spec.serviceAccountName);
  out.field(0, 'Node', spec?.nodeName ? `${spec.nodeName}/${status?.hostIP ?? ''}` : '<none>');
  if (status?.startTime) out.field(0, 'Start Time', timeText(status.startTime));
}

function describeState(
  out: Description,
  { metadata, spec, status = {} }: Pod,
  { nowMs }: DescribeContext,
): void {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  const isOver = status.phase === 'Failed' || status.phase === 'Succeeded';
  if (deletionTimestamp && !isOver) {
    out.field(0, 'Status', `Terminating (lasts ${ageText(deletionTimestamp, nowMs)})`);
    out.field(0, 'Termination Grace Period', `${deletionGracePeriodSeconds ?? 0}s`);
  } else out.field(0, 'Status', status.phase ?? '');
  if (status.reason) out.field(0, 'Reason', status.reason);
  if (status.message) out.field(0, 'Message', status.message);
  const profile = spec?.securityContext?.seccompProfile;
  if (profile === undefined) return;
  out.field(0, 'SeccompProfile', profile.type);
  if (profile.type === 'Localhost') out.field(0, 'LocalhostProfile', profile.localhostProfile ?? '');
}

function describeAddresses(out: Description, { metadata, status = {} }: Pod): void {
  const { podIP = '', podIPs = [], nominatedNodeName } = status;
  out.field(0, 'IP', podIP);
  out.line(0, ...(podIPs.length === 0 ? ['IPs:', '<none>'] : ['IPs:']));
  for (const { ip } of podIPs) out.field(1, 'IP', ip ?? '');
  const controller = controllerText(metadata);
  if (controller !== undefined) out.field(0, 'Controlled By', controller);
  if (nominatedNodeName) out.field(0, 'NominatedNodeName', nominatedNodeName);
}

function describeAllContainers(out: Description, object: Pod): void {
  const { spec = { containers: [] }, status = {} } = object;
  const { resources } = spec as { readonly resources?: kinds.core.ResourceRequirements };
  if (resources !== undefined) {
    out.line(0, 'Resources:');
    describeResources(out, 1, resources);
  }
  const fieldValue = fieldValueOf(object);
  const { initContainers = [], containers, ephemeralContainers = [] } = spec;
  const { initContainerStatuses, containerStatuses, ephemeralContainerStatuses } = status;
  if (initContainers.length > 0)
    describeContainers(out, {
      ...{ title: 'Init Containers', containers: initContainers },
      ...{ statuses: initContainerStatuses, fieldValue },
    });
  describeContainers(out, {
    title: 'Containers',
    containers: containers ?? [],
    statuses: containerStatuses,
    fieldValue,
  });
  if (ephemeralContainers.length > 0)
    describeContainers(out, {
      ...{ title: 'Ephemeral Containers', containers: ephemeralContainers },
      ...{ statuses: ephemeralContainerStatuses, fieldValue },
    });
}

/** The fields whose value does not depend on where and how the pod runs. */
const fieldValueOf =
  ({ metadata }: Pod): FieldValue =>
  (fieldPath) => {
    if (fieldPath === 'metadata.name') return metadata.name ?? '';
    return fieldPath === 'metadata.namespace' ? (metadata.namespace ?? '') : '';
  };

function describeConditions(out: Description, { spec, status }: Pod): void {
  const { conditions = [] } = status ?? {};
  const gates = spec?.readinessGates ?? [];
  const statusOf = (type: string): string => conditions.find((one) => one.type === type)?.status ?? '<none>';
  if (gates.length > 0) {
    out.line(0, 'Readiness Gates:');
    out.line(1, 'Type', 'Status');
  }
  for (const { conditionType } of gates) out.line(1, `${conditionType} `, `${statusOf(conditionType)} `);
  if (conditions.length > 0) {
    out.line(0, 'Conditions:');
    out.line(1, 'Type', 'Status');
  }
  for (const condition of conditions) out.line(1, `${condition.type} `, `${condition.status} `);
}
