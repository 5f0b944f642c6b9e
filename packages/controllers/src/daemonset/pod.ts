import type { kinds, Stored } from '@orch/client';
import type { Names } from '@orch/machinery';
import { podOf } from '../pods/template.ts';
import { REVISION_LABEL } from '../revisions/decide.ts';

type DaemonSet = Stored<kinds.apps.DaemonSet>;
type Pod = kinds.core.Pod;
type PodSpec = kinds.core.PodSpec;
type Toleration = kinds.core.Toleration;

/** The label with the number of the template that a pod was made from. */
const TEMPLATE_GENERATION = 'pod-template-generation';
const NODE_FIELD = 'metadata.name';

/** The tolerations with which pods stay on a node that is not ready, cordoned or short of something. */
function ownTolerations({ hostNetwork }: PodSpec, { taints }: Names): readonly Toleration[] {
  const exists = (key: string, effect: string): Toleration => ({ key, operator: 'Exists', effect });
  const { notReady, unreachable, diskPressure, memoryPressure, pidPressure, unschedulable } = taints;
  return [
    exists(notReady, 'NoExecute'),
    exists(unreachable, 'NoExecute'),
    ...[diskPressure, memoryPressure, pidPressure, unschedulable].map((key) => exists(key, 'NoSchedule')),
    ...(hostNetwork === true ? [exists(taints.networkUnavailable, 'NoSchedule')] : []),
  ];
}

/** The specification of the pods of a set, for the decision on which nodes they run. */
export function daemonSpec({ spec }: DaemonSet, names: Names): PodSpec {
  const base = spec?.template.spec ?? { containers: [] };
  return { ...base, tolerations: [...(base.tolerations ?? []), ...ownTolerations(base, names)] };
}

/** A pod for one node, which only the required affinity to its name binds to it. */
export function daemonPod(
  set: DaemonSet,
  { name, node, revision }: { readonly name: string; readonly node: string; readonly revision: string },
  names: Names,
): Pod {
  const generation = set.metadata.annotations?.[names.annotations.daemonSetTemplateGeneration];
  const pod = podOf(set.spec?.template ?? {}, set, {
    name,
    generateName: `${set.metadata.name}-`,
    labels: {
      [REVISION_LABEL]: revision,
      ...(generation !== undefined && { [TEMPLATE_GENERATION]: generation }),
    },
  });
  const spec = daemonSpec(set, names);
  const { nodeAffinity, ...affinity } = spec.affinity ?? {};
  const matchFields = [{ key: NODE_FIELD, operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return {
    ...pod,
    spec: {
      ...spec,
      affinity: {
        ...affinity,
        nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
      },
    },
  };
}

/** The node of a pod: the one that it has, or the one that it is for. */
export function nodeOf({ spec }: Pod): string {
  if (spec?.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const { nodeSelectorTerms } =
    spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {};
  const field = nodeSelectorTerms?.[0]?.matchFields?.find(({ key }) => key === NODE_FIELD);
  return field?.values?.[0] ?? '';
}
