import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { cloneJson, numberFromText } from '@orch/machinery/json';
import type { Lens } from '@orch/schema';
import { describeLensLaws } from '../testing/lens-laws.ts';
import { daemonSetLens } from './daemon-set/extensions-v1beta1.lens.ts';
import { deploymentLens } from './deployment/extensions-v1beta1.lens.ts';
import { appsGroup } from './group.ts';

for (const type of appsGroup.types) describeLensLaws(type);

const names = namesFor('orch');

const through = (direction: 'toHub' | 'fromHub', lens: Lens, object: object): Record<string, unknown> => {
  const copy = cloneJson(object) as Record<string, unknown>;
  lens[direction](copy, { names, root: copy });
  return copy;
};

const rollback = (text: string): object => ({
  metadata: { annotations: { 'deprecated.deployment.rollback.to': text } },
});
const generation = (text: string): object => ({
  metadata: { annotations: { 'deprecated.daemonset.template.generation': text } },
});

/** Pairs of objects in two versions that convert to each other, in both directions. */
const pairs: readonly (readonly [title: string, lens: Lens, older: object, hub: object])[] = [
  [
    'a rollback to a revision',
    deploymentLens,
    { metadata: {}, spec: { rollbackTo: { revision: 3 } } },
    { ...rollback('3'), spec: {} },
  ],
  [
    'a rollback to the revision before',
    deploymentLens,
    { metadata: {}, spec: { replicas: 1, rollbackTo: {} } },
    { ...rollback('0'), spec: { replicas: 1 } },
  ],
  [
    'a rollback to a revision beyond 2^53',
    deploymentLens,
    { metadata: {}, spec: { rollbackTo: { revision: numberFromText('9007199254740993') } } },
    { ...rollback('9007199254740993'), spec: {} },
  ],
  [
    'an annotation that names no revision',
    deploymentLens,
    { ...rollback('soon'), spec: {} },
    { ...rollback('soon'), spec: {} },
  ],
  [
    'a number in an unusual notation',
    deploymentLens,
    { ...rollback('007'), spec: {} },
    { ...rollback('007'), spec: {} },
  ],
  [
    'a number that no field can hold',
    deploymentLens,
    { ...rollback('9223372036854775808'), spec: {} },
    { ...rollback('9223372036854775808'), spec: {} },
  ],
  [
    'the generation of a template',
    daemonSetLens,
    { metadata: {}, spec: { templateGeneration: 7 } },
    { ...generation('7'), spec: {} },
  ],
  [
    'a generation of 0, which has no field',
    daemonSetLens,
    { ...generation('0'), spec: {} },
    { ...generation('0'), spec: {} },
  ],
];

describe('older workloads and those of apps/v1', () => {
  for (const [title, lens, older, hub] of pairs) {
    it(`older workloads and those of apps/v1 agree on ${title}`, () => {
      const known = (value: object): unknown => withoutEmptySpec(value);
      assert.deepEqual(known(through('toHub', lens, older)), known(hub));
      assert.deepEqual(known(through('fromHub', lens, hub)), known(older));
    });
  }
});

/** The codec always writes the spec. */
function withoutEmptySpec({ spec, ...rest }: { spec?: object }): unknown {
  return { ...rest, ...(spec === undefined || Object.keys(spec).length === 0 ? {} : { spec }) };
}
