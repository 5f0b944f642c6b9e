import assert from 'node:assert/strict';
import type { Job } from '@orch/kinds/batch';
import { namesFor } from '@orch/machinery';
import { typesAt } from '../../../lifecycle.ts';
import type { ResourceType } from '../../../resource-type.ts';
import { type WritePath, type Written, writePath } from '../../../testing/write-path.ts';
import { edited } from '../../../testing/writes.ts';
import { jobs } from '../index.ts';

export const uid = '11111111-2222-4333-8444-555555555555';
export const template = { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } };

export interface Client {
  readonly type: ResourceType;
  readonly path: WritePath;
  create(spec: object, metadata?: object): Written;
  update(stored: Job, set: Readonly<Record<string, unknown>>, through?: string): Written;
}

export function clientOf(release: string, naming: 'orch' | 'kubernetes' = 'orch'): Client {
  const [type] = typesAt(release, [jobs]);
  assert.ok(type);
  const path = writePath(namesFor(naming), release);
  return {
    type,
    path,
    create: (spec, metadata = {}) =>
      path.create(type, { metadata: { name: 'j', uid, ...metadata }, spec: { template, ...spec } }),
    update: (stored, set, through) => path.update(type, stored, edited(stored, set), through),
  };
}

export function stored(client: Client, spec: object = {}, metadata: object = {}): Job {
  const { object, errors } = client.create(spec, metadata);
  assert.deepEqual(errors, []);
  return object;
}
