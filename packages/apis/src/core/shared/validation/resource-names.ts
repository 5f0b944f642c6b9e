import type { Names } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';

/** Resources that containers can request, in addition to huge pages and extended ones. */
const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Unprefixed names that are valid in any kind of resource list. */
const standardResources = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** Unprefixed names that quotas know. */
const quotaResources = new Set([...standardResources].filter((name) => name !== 'storage'));

/** Counts of objects: integers. */
const countedResources = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const requestsPrefix = 'requests.';

export const isHugePages = (resource: string): boolean => resource.startsWith('hugepages-');

/** Without a domain, or below the product's own. */
export const isNativeResource = (resource: string, names: Names): boolean =>
  !resource.includes('/') || resource.includes(names.resourceNames.nativePrefix);

/** Outside the product's own domain, and a valid quota name with the prefix `requests.`. */
export const isExtendedResource = (resource: string, names: Names): boolean =>
  !isNativeResource(resource, names) &&
  !resource.startsWith(requestsPrefix) &&
  qualifiedName(`${requestsPrefix}${resource}`) === undefined;

/** Resources that cannot be overcommitted, so that request and limit are equal. */
export const isOvercommitAllowed = (resource: string, names: Names): boolean =>
  isNativeResource(resource, names) && !isHugePages(resource);

/** Resources that are counts: no fractions. */
export const isWholeResource = (resource: string, names: Names): boolean =>
  countedResources.has(resource) || isExtendedResource(resource, names);

/** The problem of the name of a resource in any list; undefined when it is valid. */
export function resourceNameProblem(resource: string): string | undefined {
  const wrong = qualifiedName(resource);
  if (wrong !== undefined) return wrong;
  if (resource.includes('/') || standardResources.has(resource) || isHugePages(resource)) return undefined;
  return 'must be a standard resource type or fully qualified';
}

/** As `resourceNameProblem`, for containers. */
export function containerResourceProblem(resource: string, names: Names): string | undefined {
  const wrong = qualifiedName(resource);
  if (wrong !== undefined) return wrong;
  if (!resource.includes('/')) {
    const known = containerResources.has(resource) || isHugePages(resource);
    return known ? undefined : 'must be a standard resource for containers';
  }
  return isNativeResource(resource, names) || isExtendedResource(resource, names)
    ? undefined
    : "doesn't follow extended resource name standard";
}

/** Resources that a whole pod can request, and the prefix of those of huge pages. */
export const podResources: readonly string[] = ['cpu', 'hugepages-', 'memory'];

export const isPodResource = (resource: string): boolean =>
  podResources.includes(resource) || isHugePages(resource);

/** As `resourceNameProblem`, for the bounds of quotas. */
export function quotaResourceProblem(resource: string): string | undefined {
  const wrong = qualifiedName(resource);
  if (wrong !== undefined) return wrong;
  const huge = isHugePages(resource) || resource.startsWith('requests.hugepages-');
  if (resource.includes('/') || quotaResources.has(resource) || huge) return undefined;
  return 'must be a standard resource for quota or fully qualified';
}

/** Reports whether quotas accept the name of a resource without a domain. */
export const isStandardQuotaResource = (resource: string): boolean =>
  quotaResources.has(resource) || isHugePages(resource) || resource.startsWith('requests.hugepages-');
