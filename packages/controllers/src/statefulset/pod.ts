import { type kinds, ownerReferenceTo, type Stored } from '@orch/client';
import type { Names } from '@orch/machinery';
import { podOf } from '../pods/template.ts';
import { REVISION_LABEL } from '../revisions/decide.ts';

type StatefulSet = Stored<kinds.apps.StatefulSet>;
type Pod = kinds.core.Pod;
type Claim = kinds.core.PersistentVolumeClaim;

export const podName = (set: StatefulSet, ordinal: number): string => `${set.metadata.name}-${ordinal}`;

/** The ordinal in the name of a pod; undefined when it has not the name of a pod of the set. */
export function ordinalOf({ metadata }: Pod, set: StatefulSet): number | undefined {
  const prefix = `${set.metadata.name}-`;
  const { name = '' } = metadata;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d{0,8})$/.test(rest) ? Number(rest) : undefined;
}

const claimName = (set: StatefulSet, ordinal: number, template: Claim): string =>
  `${template.metadata.name ?? ''}-${podName(set, ordinal)}`;

/** The claims of a pod, which stay when it is replaced. */
export const claimsFor = (set: StatefulSet, ordinal: number): readonly Claim[] =>
  (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...template.metadata,
      name: claimName(set, ordinal, template),
      labels: { ...template.metadata.labels, ...set.spec?.selector?.matchLabels },
    },
    ...(template.spec !== undefined && { spec: template.spec }),
  }));

/** A pod with a name that stays, the claims that belong to it, and the host name of its service. */
export function statefulPod(
  set: StatefulSet,
  {
    ordinal,
    revision,
    template,
  }: { readonly ordinal: number; readonly revision: string; readonly template: kinds.core.PodTemplateSpec },
  { labels }: Names,
): Pod {
  const name = podName(set, ordinal);
  const own = {
    [labels.statefulSetPodName]: name,
    [labels.podIndex]: String(ordinal),
    [REVISION_LABEL]: revision,
  };
  const pod = podOf(template, set, { name, generateName: `${set.metadata.name}-`, labels: own });
  const claims = (set.spec?.volumeClaimTemplates ?? []).map((each) => ({
    name: each.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, ordinal, each) },
  }));
  const isReplaced = ({ name: volume }: kinds.core.Volume): boolean =>
    claims.some((each) => each.name === volume);
  const { containers = [], volumes = [], ...spec } = pod.spec ?? {};
  return {
    ...pod,
    metadata: { ...pod.metadata, ownerReferences: [ownerReferenceTo(set)] },
    spec: {
      ...spec,
      containers,
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
      volumes: [...volumes.filter((volume) => !isReplaced(volume)), ...claims],
    },
  };
}
