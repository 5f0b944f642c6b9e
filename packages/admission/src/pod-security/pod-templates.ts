import type { PodTemplateSpec } from '@orch/kinds/core';
import type { ApiObject } from '@orch/machinery';
import { objectAt } from '@orch/machinery/json';

const IN_SPEC = ['spec', 'template'];

/** The path of the pod template in resources, by group and resource. */
const paths: ReadonlyMap<string, readonly string[]> = new Map([
  ['/podtemplates', ['template']],
  ['/replicationcontrollers', IN_SPEC],
  ['apps/daemonsets', IN_SPEC],
  ['apps/deployments', IN_SPEC],
  ['apps/replicasets', IN_SPEC],
  ['apps/statefulsets', IN_SPEC],
  ['batch/cronjobs', ['spec', 'jobTemplate', 'spec', 'template']],
  ['batch/jobs', IN_SPEC],
]);

interface Target {
  readonly group: string;
  readonly resource: string;
}

export const hasPodTemplate = ({ group, resource }: Target): boolean => paths.has(`${group}/${resource}`);

/** The pod template of an object; an empty one when it has none. */
export const podTemplateOf = ({ group, resource }: Target, object: ApiObject): PodTemplateSpec =>
  objectAt(object, ...(paths.get(`${group}/${resource}`) ?? []));
