import type { Container, EphemeralContainer, PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import type { Check, CheckContext } from '@orch/schema';
import { checkLabelMap } from '../../../../validation-rules.ts';
import { checkContainerResources } from '../../validation/resources.ts';
import { checkEphemeralContainer, checkInitContainer } from './container.ts';
import { checkContainersOfPod } from './containers-of-pod.ts';
import { checkDnsPolicy, checkHostAliases, checkHostnameOverride, checkHostnames } from './dns.ts';
import { checkHostNetworkPorts, checkHostPorts } from './host-ports.ts';
import { checkHostUsers } from './host-users.ts';
import { checkDevices, checkMounts, type Volumes, volumesOf } from './mounts.ts';
import { checkOs } from './os.ts';
import { checkPodResources } from './pod-resources.ts';
import { checkResourceClaims } from './resource-claims.ts';
import { checkGates, checkSpread } from './topology.ts';

interface Lists {
  readonly containers: readonly Container[];
  readonly initContainers: readonly Container[];
  readonly ephemeralContainers: readonly EphemeralContainer[];
}

const listsOf = (spec: PodSpec): Lists => ({
  containers: spec.containers ?? [],
  initContainers: spec.initContainers ?? [],
  ephemeralContainers: spec.ephemeralContainers ?? [],
});

/** Checks the rules of a pod spec that span its fields; those of pods alone are in `pod.ts`. */
export const checkPodSpec: Check<PodSpec> = (spec, context) => {
  const { path, names, root } = context;
  const lists = listsOf(spec);
  const volumes = volumesOf(spec, root);
  return [
    ...checkContainerNames(path, lists),
    ...checkUseOfVolumes(path, lists, volumes),
    ...lists.initContainers.flatMap((container, i) =>
      checkInitContainer({ ...context, path: `${path}.initContainers[${i}]` }, container),
    ),
    ...checkEphemeral(path, lists),
    ...checkPorts(context, spec, lists),
    ...checkLabelMap(`${path}.nodeSelector`, spec.nodeSelector),
    ...checkNamespaces(path, spec, context),
    ...checkDnsPolicy(path, spec),
    ...checkHostAliases(context, spec.hostAliases ?? []),
    ...checkSpread(`${path}.topologySpreadConstraints`, spec.topologySpreadConstraints ?? []),
    ...checkOverhead(`${path}.overhead`, spec.overhead, names),
    ...checkOs(path, spec),
    ...checkContainersOfPod(context, spec),
    ...checkHostUsers(context, spec),
    ...checkHostnameOverride(path, spec),
    ...checkGates(path, spec.schedulingGates),
    ...checkPodResources(path, spec, names),
    ...checkResourceClaims(path, spec, lists),
    ...checkHostnames(path, spec, root),
    ...checkEmptyWords(path, spec),
  ];
};

/**
 * Names are unique among all containers of the pod. For compatibility, a missing name is a name, but several init
 * containers may have none.
 */
function checkContainerNames(path: string, lists: Lists): readonly FieldError[] {
  const taken = new Set<string>();
  return (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
    lists[list].flatMap((container, i) => {
      const name = container.name ?? '';
      const twice = taken.has(name);
      if (name !== '' || list !== 'initContainers') taken.add(name);
      return twice ? [fieldError.duplicate(`${path}.${list}[${i}].name`, name)] : [];
    }),
  );
}

const checkUseOfVolumes = (path: string, lists: Lists, volumes: Volumes): readonly FieldError[] =>
  (['containers', 'initContainers', 'ephemeralContainers'] as const).flatMap((list) =>
    lists[list].flatMap((container, i) => [
      ...checkMounts(`${path}.${list}[${i}]`, container, volumes),
      ...checkDevices(`${path}.${list}[${i}]`, container, volumes),
    ]),
  );

function checkEphemeral(path: string, lists: Lists): readonly FieldError[] {
  if (lists.ephemeralContainers.length === 0) return [];
  const others = new Set(
    [...lists.containers, ...lists.initContainers].map((container) => container.name ?? ''),
  );
  return lists.ephemeralContainers.flatMap((container, i) =>
    checkEphemeralContainer(`${path}.ephemeralContainers[${i}]`, container, others),
  );
}

/** Init containers run one after the other, so their ports can only collide within one container. */
function checkPorts(context: CheckContext<PodSpec>, spec: PodSpec, lists: Lists): readonly FieldError[] {
  const { path } = context;
  return (['containers', 'initContainers'] as const).flatMap((list) => [
    ...(list === 'containers'
      ? checkHostPorts(`${path}.${list}`, lists[list])
      : lists[list].flatMap((container, i) => checkHostPorts(`${path}.${list}[${i}]`, [container]))),
    ...(spec.hostNetwork === true
      ? checkHostNetworkPorts({ ...context, path: `${path}.${list}` }, lists[list])
      : []),
  ]);
}

/** An empty policy is a missing one. */
const checkEmptyWords = (path: string, { preemptionPolicy }: PodSpec): readonly FieldError[] =>
  preemptionPolicy === '' ? [fieldError.required(`${path}.preemptionPolicy`)] : [];

/** Earlier releases report the field where their internal form of a pod has it. */
function checkNamespaces(
  path: string,
  spec: PodSpec,
  { since }: Pick<CheckContext, 'since'>,
): readonly FieldError[] {
  if (spec.shareProcessNamespace !== true || spec.hostPID !== true) return [];
  const why = 'ShareProcessNamespace and HostPID cannot both be enabled';
  const parent = since('1.37') ? path : `${path}.securityContext`;
  return [fieldError.invalid(`${parent}.shareProcessNamespace`, true, why)];
}

const checkOverhead = (path: string, overhead: PodSpec['overhead'], names: Names): readonly FieldError[] =>
  overhead === undefined ? [] : checkContainerResources(path, { limits: overhead }, names);
