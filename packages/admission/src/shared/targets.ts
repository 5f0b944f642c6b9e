import type { AdmissionPlugin, Operation, ResourceTarget } from '../types.ts';

/** Writes of objects of a resource, other than through a subresource. `group` is a key of the names table. */
export const writesOf =
  (group: string, resource: string, ...operations: readonly Operation[]): AdmissionPlugin['handles'] =>
  (target: ResourceTarget) =>
    target.resource === resource &&
    target.group === group &&
    target.subresource === '' &&
    operations.includes(target.operation);

/** Creations of pods. */
export const podCreations = writesOf('', 'pods', 'CREATE');

/** Subresources that do not write the spec of a pod. */
const OTHER_SUBRESOURCES: ReadonlySet<string> = new Set([
  'attach',
  'binding',
  'eviction',
  'exec',
  'log',
  'portforward',
  'proxy',
  'status',
]);

/** Creations and updates of the spec of a pod, also through a subresource. */
export const writesPodSpec = ({ operation, group, resource, subresource }: ResourceTarget): boolean =>
  group === '' &&
  resource === 'pods' &&
  (operation === 'CREATE' || operation === 'UPDATE') &&
  !OTHER_SUBRESOURCES.has(subresource);
