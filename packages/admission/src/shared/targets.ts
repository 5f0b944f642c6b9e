import type { AdmissionPlugin, Operation, WriteTarget } from '../types.ts';

/** Writes of objects of a resource, other than through a subresource. `group` is a key of the names table. */
export const writesOf =
  (group: string, resource: string, ...operations: readonly Operation[]): AdmissionPlugin['handles'] =>
  (target: WriteTarget) =>
    target.resource === resource &&
    target.group === group &&
    target.subresource === '' &&
    operations.includes(target.operation);

/** Creations of pods. */
export const podCreations = writesOf('', 'pods', 'CREATE');
