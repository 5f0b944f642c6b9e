import { isControlledBy, type kinds } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { isSameTemplate } from '../../../workloads/revisions.ts';
import { type DescribeContext, describer, listAll } from '../../describer.ts';
import { describePodTemplate } from '../../pods/pod-template.ts';
import { describeConditions } from '../../text/conditions.ts';
import type { Description } from '../../text/description.ts';
import { describeLabels } from '../../text/metadata.ts';
import { timeText } from '../../text/times.ts';
import { goText, orNone, selectorText, sortedBy } from '../../text/values.ts';

type Deployment = kinds.apps.Deployment;
type ReplicaSet = kinds.apps.ReplicaSet;

export const deployment = describer<Deployment>({
  group: 'apps',
  kind: 'Deployment',
  versions: ['v1'],
  async describe(out, object, context) {
    const { metadata, spec, status = {} } = object;
    out.fields(0, { Name: metadata.name, Namespace: metadata.namespace });
    out.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
    describeLabels(out, { metadata, names: context.names });
    out.field(0, 'Selector', selectorText(spec?.selector));
    out.field(0, 'Replicas', replicasText(object));
    out.field(0, 'StrategyType', spec?.strategy?.type ?? '');
    out.field(0, 'MinReadySeconds', spec?.minReadySeconds ?? 0);
    const rolling = spec?.strategy?.rollingUpdate;
    if (rolling !== undefined) {
      const { maxUnavailable, maxSurge } = rolling;
      out.field(
        0,
        'RollingUpdateStrategy',
        `${goText(maxUnavailable)} max unavailable, ${goText(maxSurge)} max surge`,
      );
    }
    describePodTemplate(out, spec?.template ?? {}, context.names);
    describeConditions(out, status.conditions);
    describeReplicaSets(out, object, await replicaSetsOf(object, context));
  },
});

function replicasText({ spec, status = {} }: Deployment): string {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status;
  return [
    `${spec?.replicas ?? 0} desired`,
    `${updatedReplicas} updated`,
    `${replicas} total`,
    `${availableReplicas} available`,
    `${unavailableReplicas} unavailable`,
  ].join(' | ');
}

/** The replica sets of a deployment, the oldest first. */
async function replicaSetsOf(object: Deployment, context: DescribeContext): Promise<readonly ReplicaSet[]> {
  try {
    const labelSelector = selectorText(object.spec?.selector);
    const all = await listAll(context.typed.apps.v1.replicasets, context, { labelSelector });
    const own = all.filter((one) => isControlledBy(one, object));
    return sortedBy(own, ({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function describeReplicaSets(out: Description, { spec }: Deployment, all: readonly ReplicaSet[]): void {
  if (all.length === 0) return;
  const current = all.find((one) => isSameTemplate(one.spec?.template, spec?.template));
  out.field(0, 'OldReplicaSets', textOf(all.filter((one) => one !== current)));
  out.field(0, 'NewReplicaSet', textOf(current === undefined ? [] : [current]));
}

const textOf = (sets: readonly ReplicaSet[]): string =>
  orNone(
    sets
      .map(
        ({ metadata, spec, status }) =>
          `${metadata.name} (${status?.replicas ?? 0}/${spec?.replicas ?? 0} replicas created)`,
      )
      .join(', '),
  );
