import type { ComputeDefault, Derive } from '@orch/schema';
import { asObject, asObjects, asText, type JsonObject } from '../../../read.ts';

/** Members of a volume that name it rather than say what it is made of. */
const notSources = new Set(['name']);

/** `emptyDir: {}` for a volume that says nothing about what it is made of. */
export const emptyDirWithoutSource = (volume: JsonObject): JsonObject | undefined =>
  Object.keys(volume).some((member) => !notSources.has(member)) ? undefined : {};

/**
 * Images that can change under their name are fetched every time: those tagged `latest`, and those with neither tag
 * nor digest. The tag follows the last `:`, unless a `/` comes after it: then it is the port of a registry.
 */
export function defaultPullPolicy(container: JsonObject): 'Always' | 'IfNotPresent' {
  const [reference = '', digest] = asText(container['image']).split('@', 2);
  const colon = reference.lastIndexOf(':');
  const tag = colon > reference.lastIndexOf('/') ? reference.slice(colon + 1) : undefined;
  if (tag === undefined) return digest === undefined ? 'Always' : 'IfNotPresent';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The service account under its older name. */
export const accountOfOlderMember = (spec: JsonObject): string | undefined =>
  asText(spec['serviceAccount']) || undefined;

/** In the network of the node, a port of a container is the port of the node. */
function fillHostPorts(containers: unknown): boolean {
  let changed = false;
  for (const container of asObjects(containers)) {
    for (const port of asObjects(container['ports']) as readonly Record<string, unknown>[]) {
      if (port['hostPort'] !== undefined || !port['containerPort']) continue;
      port['hostPort'] = port['containerPort'];
      changed = true;
    }
  }
  return changed;
}

/** Defaults of pod specs in pods and in templates: both names of the account agree, and host ports are filled in. */
export const derivePodSpec: Derive = (spec) => {
  let changed = false;
  const account = spec['serviceAccountName'];
  if (account !== undefined && spec['serviceAccount'] !== account) {
    spec['serviceAccount'] = account;
    changed = true;
  }
  if (spec['hostNetwork'] === true) {
    changed = fillHostPorts(spec['containers']) || changed;
    changed = fillHostPorts(spec['initContainers']) || changed;
  }
  return changed;
};

/** What a container may use at most, it asks for, unless it says otherwise. */
function fillRequests(containers: unknown): boolean {
  let changed = false;
  for (const container of asObjects(containers)) {
    const resources = asObject(container['resources']) as Record<string, unknown>;
    const limits = asObject(resources['limits']);
    const requests = asObject(resources['requests']);
    const missing = Object.keys(limits).filter((name) => !Object.hasOwn(requests, name));
    if (missing.length === 0) continue;
    resources['requests'] = {
      ...requests,
      ...Object.fromEntries(missing.map((name) => [name, limits[name]])),
    };
    changed = true;
  }
  return changed;
}

/** Pods have service links unless they say otherwise; in templates the member stays absent. */
export const serviceLinksOfPods: ComputeDefault = (_spec, _names, root) =>
  root === 'core.v1.Pod' ? true : undefined;

/** Defaults of pods that templates do not have. */
export const derivePod: Derive = (pod) => {
  const spec = asObject(pod['spec']) as Record<string, unknown>;
  const changed = fillRequests(spec['containers']);
  return fillRequests(spec['initContainers']) || changed;
};

/** `podIP` is the first of `podIPs`; the older member counts where only it is given. */
export const derivePodIps: Derive = (status) => {
  const addresses = asObjects(status['podIPs']);
  const first = asText(addresses[0]?.['ip']);
  const single = asText(status['podIP']);
  if (first === single) return false;
  if (single === '') status['podIP'] = first;
  // A writer that knows only the older member has changed it.
  else status['podIPs'] = [{ ip: single }];
  return true;
};
