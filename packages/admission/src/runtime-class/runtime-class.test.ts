import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import type { ApiObject } from '@orch/machinery';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import { runtimeClass } from './runtime-class.ts';

const resource = 'runtimeclasses.node';
const overhead = { podFixed: { cpu: '250m', memory: '1Gi' } };
const nodeSelector = { runtime: 'gv', disk: 'ssd' };
const tolerations = [{ key: 'gv', operator: 'Exists', effect: 'NoSchedule' }];

const source = new MemoryObjectSource();
for (const [name, rest] of [
  ['plain', {}],
  ['heavy', { overhead }],
  ['empty', { overhead: {}, scheduling: {} }],
  ['placed', { scheduling: { nodeSelector, tolerations } }],
] as const)
  source.put(resource, { metadata: { name }, handler: 'h', ...rest });
const plugin = runtimeClass({ source, hasPodOverhead: true });

const creating = (spec: object) =>
  testWrite({ object: { metadata: { name: 'p', namespace: 'ns' }, spec } as ApiObject });
const UNEXPECTED = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
const DIFFERENT = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

describe('admission plugin RuntimeClass, changes', () => {
  for (const [title, spec, added] of [
    ['a pod without a class is not changed', { nodeSelector: { a: 'b' } }, {}],
    ['a class without overhead and scheduling changes nothing', { runtimeClassName: 'plain' }, {}],
    ['empty overhead and scheduling change nothing', { runtimeClassName: 'empty' }, {}],
    ['a pod gets the overhead of its class', { runtimeClassName: 'heavy' }, { overhead: overhead.podFixed }],
    [
      'an overhead with equal amounts is the one of the class',
      { runtimeClassName: 'heavy', overhead: { cpu: '0.25', memory: '1024Mi' } },
      { overhead: overhead.podFixed },
    ],
    [
      'an empty overhead is none',
      { runtimeClassName: 'heavy', overhead: {} },
      { overhead: overhead.podFixed },
    ],
    [
      'a pod gets node selector and tolerations of its class',
      { runtimeClassName: 'placed' },
      { nodeSelector, tolerations },
    ],
    [
      'the node selector of the class is added to that of the pod',
      { runtimeClassName: 'placed', nodeSelector: { disk: 'ssd', zone: 'a' } },
      { nodeSelector: { disk: 'ssd', zone: 'a', runtime: 'gv' }, tolerations },
    ],
    [
      'a toleration that the pod has already is not added again',
      { runtimeClassName: 'placed', tolerations: [{ operator: 'Exists' }] },
      { nodeSelector, tolerations: [{ operator: 'Exists' }] },
    ],
    [
      'labels that are named like members of all objects do not conflict',
      { runtimeClassName: 'placed', nodeSelector: { constructor: 'x' } },
      { nodeSelector: { constructor: 'x', ...nodeSelector }, tolerations },
    ],
  ] as const)
    it(title, async () => {
      const { refusal, object } = await mutated(plugin, creating(spec));
      const after: object = { ...spec, ...added };
      assert.deepEqual([refusal, object?.['spec']], [undefined, after]);
      // A second call, as after a change by a webhook, changes nothing.
      assert.deepEqual((await mutated(plugin, creating(after))).object, object);
    });

  for (const [title, spec, refusal] of [
    [
      'of a class that does not exist',
      { runtimeClassName: 'nope' },
      'pod rejected: RuntimeClass "nope" not found',
    ],
    [
      'with another overhead than its class',
      { runtimeClassName: 'heavy', overhead: { cpu: '1m' } },
      DIFFERENT,
    ],
    [
      'with an overhead that its class has as an empty one',
      { runtimeClassName: 'empty', overhead: { cpu: '1m' } },
      UNEXPECTED,
    ],
    [
      'whose node selector has another value for a label of its class',
      { runtimeClassName: 'placed', nodeSelector: { runtime: 'runc' } },
      'conflict: runtimeClass.scheduling.nodeSelector[runtime] = gv; pod.spec.nodeSelector[runtime] = runc',
    ],
  ] as const)
    it(`a pod ${title} is refused`, async () => {
      assert.equal((await mutated(plugin, creating(spec))).refusal, refusal);
    });

  it('a class that the cache does not have yet is found', async () => {
    class Lagging extends MemoryObjectSource {
      override fresh(): Promise<void> {
        this.put(resource, { metadata: { name: 'late' }, overhead });
        return super.fresh();
      }
    }
    const late = runtimeClass({ source: new Lagging(), hasPodOverhead: true });
    const { object } = await mutated(late, creating({ runtimeClassName: 'late' }));
    assert.deepEqual(object?.['spec'], { runtimeClassName: 'late', overhead: overhead.podFixed });
  });
});

describe('admission plugin RuntimeClass, validation', () => {
  for (const [title, spec, refusal] of [
    ['a pod without class and overhead is admitted', {}, undefined],
    [
      'a pod with the overhead of its class is admitted',
      { runtimeClassName: 'heavy', overhead: overhead.podFixed },
      undefined,
    ],
    ['an overhead without a class is refused', { overhead: { cpu: '1m' } }, UNEXPECTED],
    [
      'an overhead that the class does not have is refused',
      { runtimeClassName: 'plain', overhead: { cpu: '1m' } },
      UNEXPECTED,
    ],
    ['a pod without the overhead of its class is refused', { runtimeClassName: 'heavy' }, DIFFERENT],
    [
      'a pod with a part of the overhead of its class is refused',
      { runtimeClassName: 'heavy', overhead: { cpu: '250m' } },
      DIFFERENT,
    ],
    [
      'a pod of a class that does not exist is refused',
      { runtimeClassName: 'nope' },
      'pod rejected: RuntimeClass "nope" not found',
    ],
  ] as const)
    it(title, async () => {
      assert.equal(await validated(plugin, creating(spec)), refusal);
    });

  it('the overhead of a class is ignored where pods have none, its scheduling is not', async () => {
    const older = runtimeClass({ source, hasPodOverhead: false });
    const spec = { runtimeClassName: 'heavy' };
    assert.deepEqual((await mutated(older, creating(spec))).object?.['spec'], spec);
    assert.equal(await validated(older, creating({ overhead: { cpu: '1m' } })), undefined);
    const placed = await mutated(older, creating({ runtimeClassName: 'placed' }));
    assert.deepEqual(placed.object?.['spec'], { runtimeClassName: 'placed', nodeSelector, tolerations });
  });

  it('updates and subresources are not handled', () => {
    const write = creating({ runtimeClassName: 'heavy' });
    assert.equal(plugin.handles({ ...write, operation: 'UPDATE' }), false);
    assert.equal(plugin.handles({ ...write, subresource: 'status' }), false);
  });
});
