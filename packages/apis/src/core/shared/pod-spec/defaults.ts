import type { Container, Pod, PodSpec, PodStatus } from '@orch/kinds/core';
import type { Draft } from '@orch/kinds/draft';
import { approximateNumber, setField } from '@orch/machinery/json';
import type { ComputeDefault, Derive } from '@orch/schema';
import { type PullPolicy, policyOfImage } from '../image-policy.ts';
import { completeLimitedPod } from './pod-resources.ts';
import { fillResizePolicies, hasResizePolicies } from './resize-policies.ts';

/** The pull policy of a container that sets none. */
export const defaultPullPolicy = (container: Container): PullPolicy => policyOfImage(container.image ?? '');

/** The service account under its older name. */
export const accountOfOlderField = (spec: PodSpec): string | undefined =>
  (spec.serviceAccount ?? '') || undefined;

/** In the network of the node, the port of a container is the port of the node. */
function fillHostPorts(containers: Draft<PodSpec>['containers']): boolean {
  let changed = false;
  for (const container of containers ?? []) {
    for (const port of container.ports ?? []) {
      if (port.hostPort !== undefined || !port.containerPort) continue;
      port.hostPort = port.containerPort;
      changed = true;
    }
  }
  return changed;
}

const isNegative = (value: Draft<PodSpec>['terminationGracePeriodSeconds']): boolean =>
  (approximateNumber(value) ?? 0) < 0;

/**
 * Defaults of pod specs in pods and templates: both names of the account agree, and host ports are set. From 1.28 on
 * templates have no such ports: their pods get them.
 */
export const derivePodSpec: Derive<Draft<PodSpec>> = (spec, _names, { root, since }) => {
  let changed = false;
  const account = spec.serviceAccountName;
  if (account !== undefined && spec.serviceAccount !== account) {
    spec.serviceAccount = account;
    changed = true;
  }
  // Templates keep such a period; their pods do not.
  if (root === 'core.v1.Pod' && isNegative(spec.terminationGracePeriodSeconds) && since('1.27')) {
    spec.terminationGracePeriodSeconds = 1;
    changed = true;
  }
  if (since('1.34') && !since('1.35', 'ContainerRestartRules')) changed = dropOwnPolicies(spec) || changed;
  if (spec.hostNetwork === true && (root === 'core.v1.Pod' || !since('1.28'))) {
    changed = fillHostPorts(spec.containers) || changed;
    changed = fillHostPorts(spec.initContainers) || changed;
  }
  return changed;
};

/** Without the gate for rules, release 1.34 keeps no policy for restarts but that of containers that keep running. */
function dropOwnPolicies({ containers, initContainers }: Draft<PodSpec>): boolean {
  const dropped = [
    ...(containers ?? []),
    ...(initContainers ?? []).filter(({ restartPolicy }) => restartPolicy !== 'Always'),
  ].filter(({ restartPolicy }) => restartPolicy !== undefined);
  for (const container of dropped) delete container.restartPolicy;
  return dropped.length > 0;
}

/** The requests of a container default to its limits. */
function fillRequests(containers: Draft<PodSpec>['containers']): boolean {
  let changed = false;
  for (const { resources } of containers ?? []) {
    if (resources?.limits === undefined) continue;
    const { limits, requests = {} } = resources;
    const missing = Object.keys(limits).filter((name) => !Object.hasOwn(requests, name));
    if (missing.length === 0) continue;
    const all = { ...requests };
    for (const name of missing) setField(all, name, limits[name] ?? '');
    resources.requests = all;
    changed = true;
  }
  return changed;
}

/** Pods have service links by default; in templates the field stays absent. */
export const serviceLinksOfPods: ComputeDefault = (_spec, _names, { root }) =>
  root === 'core.v1.Pod' ? true : undefined;

/** Defaults of pods that templates do not have. */
export const derivePod: Derive<Draft<Pod>> = ({ spec }, _names, { since }) => {
  let changed = fillRequests(spec?.containers);
  changed = fillRequests(spec?.initContainers) || changed;
  if (hasResizePolicies(since)) changed = fillResizePolicies(spec?.containers) || changed;
  // Later releases do it when the pod is created, once admission has added its containers.
  if (spec?.resources === undefined || since('1.37', 'PodLevelResourcesFixDefaulting')) return changed;
  return completeLimitedPod(spec) || changed;
};

/** `podIP` is the first of `podIPs`; when only the older field is set, it takes precedence. */
export const derivePodIps: Derive<Draft<PodStatus>> = (status) => {
  const addresses = status.podIPs ?? [];
  const first = addresses[0]?.ip ?? '';
  const single = status.podIP ?? '';
  if (first === single) return false;
  if (single === '') status.podIP = first;
  // A client that sets only the older field has changed it.
  else status.podIPs = [{ ip: single }];
  return true;
};
