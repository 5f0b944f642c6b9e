import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { type ApiObject, namesFor } from '@orch/machinery';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import { type PriorityParts, priority } from './priority.ts';

const names = namesFor('orch');
const resource = 'priorityclasses.scheduling';
const PREEMPT = 'PreemptLowerPriority';

const priorityClass = (name: string, value: number, rest: object = {}): ApiObject => ({
  metadata: { name },
  value,
  preemptionPolicy: PREEMPT,
  ...rest,
});
const globalDefault = { globalDefault: true };

function pluginWith(classes: readonly ApiObject[], parts: Partial<PriorityParts> = {}) {
  const source = new MemoryObjectSource();
  for (const each of classes) source.put(resource, each);
  return {
    source,
    plugin: priority({
      source,
      names,
      setsPreemptionPolicy: true,
      setsPriorityOfGroups: true,
      setsPreemptionPolicyOfGroups: false,
      restrictsCriticalPods: false,
      ...parts,
    }),
  };
}

const pod = (spec: object, namespace = 'ns'): ApiObject => ({ metadata: { name: 'p', namespace }, spec });
const high = priorityClass('high', 1000);
const quiet = priorityClass('quiet', 7, { preemptionPolicy: 'Never' });
const usual = priorityClass('usual', 5, globalDefault);

describe('admission plugin Priority, new pods', () => {
  for (const [title, classes, spec, after] of [
    ['a pod without a class has priority 0', [high], {}, { priority: 0, preemptionPolicy: PREEMPT }],
    [
      'an empty class is none',
      [high],
      { priorityClassName: '' },
      { priorityClassName: '', priority: 0, preemptionPolicy: PREEMPT },
    ],
    [
      'a pod gets priority and preemption policy of its class',
      [high, quiet],
      { priorityClassName: 'quiet' },
      { priorityClassName: 'quiet', priority: 7, preemptionPolicy: 'Never' },
    ],
    [
      'a pod without a class gets the global default',
      [high, usual],
      {},
      { priorityClassName: 'usual', priority: 5, preemptionPolicy: PREEMPT },
    ],
    [
      'a pod with a class does not get the global default',
      [high, usual],
      { priorityClassName: 'high' },
      { priorityClassName: 'high', priority: 1000, preemptionPolicy: PREEMPT },
    ],
    [
      'of two global defaults the one with the lower value counts',
      [usual, priorityClass('alpha', 4, globalDefault)],
      {},
      { priorityClassName: 'alpha', priority: 4, preemptionPolicy: PREEMPT },
    ],
    [
      'of two global defaults with the same value the first by name counts',
      [usual, priorityClass('alpha', 5, globalDefault)],
      {},
      { priorityClassName: 'alpha', priority: 5, preemptionPolicy: PREEMPT },
    ],
    [
      'a class of the system is permitted in all namespaces',
      [priorityClass('system-node-critical', 2_000_001_000)],
      { priorityClassName: 'system-node-critical' },
      { priorityClassName: 'system-node-critical', priority: 2_000_001_000, preemptionPolicy: PREEMPT },
    ],
    [
      'a pod may repeat the values of its class',
      [quiet],
      { priorityClassName: 'quiet', priority: 7, preemptionPolicy: 'Never' },
      { priorityClassName: 'quiet', priority: 7, preemptionPolicy: 'Never' },
    ],
    [
      'a class without a value has the value 0',
      [{ metadata: { name: 'none' } }],
      { priorityClassName: 'none' },
      { priorityClassName: 'none', priority: 0 },
    ],
  ] as const)
    it(title, async () => {
      const { refusal, object } = await mutated(pluginWith(classes).plugin, testWrite({ object: pod(spec) }));
      assert.deepEqual([refusal, object?.['spec']], [undefined, after]);
    });

  for (const [title, spec, refusal] of [
    [
      'a class that does not exist',
      { priorityClassName: 'nope' },
      'no PriorityClass with name nope was found',
    ],
    [
      'another priority than that of its class',
      { priorityClassName: 'high', priority: 1001 },
      'the integer value of priority (1001) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
    ],
    [
      'a priority without a class',
      { priority: 2_000_001_000 },
      'the integer value of priority (2000001000) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      'another preemption policy than that of its class',
      { priorityClassName: 'quiet', preemptionPolicy: PREEMPT },
      'the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ],
    [
      'a preemption policy that pods without a class do not have',
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ] as const)
    it(`a pod is refused with ${title}`, async () => {
      const { plugin } = pluginWith([high, quiet]);
      assert.equal((await mutated(plugin, testWrite({ object: pod(spec) }))).refusal, refusal);
    });

  it('a class that the cache does not have yet is found', async () => {
    class Lagging extends MemoryObjectSource {
      override fresh(): Promise<void> {
        this.put(resource, high);
        return super.fresh();
      }
    }
    const { plugin } = pluginWith([], { source: new Lagging() });
    const { object } = await mutated(plugin, testWrite({ object: pod({ priorityClassName: 'high' }) }));
    assert.deepEqual(object?.['spec'], {
      priorityClassName: 'high',
      priority: 1000,
      preemptionPolicy: PREEMPT,
    });
  });

  it('a new, changed, removed and reloaded global default takes effect', async () => {
    const { plugin, source } = pluginWith([high]);
    const priorityOfNext = async (): Promise<unknown> => {
      const { object } = await mutated(plugin, testWrite({ object: pod({}) }));
      return (object?.['spec'] as { priority?: number } | undefined)?.priority;
    };
    assert.equal(await priorityOfNext(), 0);
    source.put(resource, usual);
    assert.equal(await priorityOfNext(), 5);
    source.put(resource, { ...usual, globalDefault: false });
    assert.equal(await priorityOfNext(), 0);
    source.replace(resource, [usual]);
    assert.equal(await priorityOfNext(), 5);
    source.delete(resource, 'usual');
    assert.equal(await priorityOfNext(), 0);
  });

  it('preemption policies are neither set nor checked where the release has none', async () => {
    const { plugin } = pluginWith([quiet], { setsPreemptionPolicy: false });
    const spec = { priorityClassName: 'quiet', preemptionPolicy: PREEMPT };
    const { refusal, object } = await mutated(plugin, testWrite({ object: pod(spec) }));
    assert.deepEqual([refusal, object?.['spec']], [undefined, { ...spec, priority: 7 }]);
  });

  for (const [className, namespace, isPermitted] of [
    ['system-node-critical', 'ns', false],
    ['system-cluster-critical', 'ns', false],
    ['system-cluster-critical', 'orch-system', true],
    ['high', 'ns', true],
  ] as const)
    it(`where critical pods are restricted, a pod of the class ${className} in the namespace ${namespace} is ${isPermitted ? 'admitted' : 'refused'}`, async () => {
      const classes = [
        high,
        priorityClass('system-node-critical', 2e9),
        priorityClass('system-cluster-critical', 2e9),
      ];
      const { plugin } = pluginWith(classes, { restrictsCriticalPods: true });
      const object = pod({ priorityClassName: className }, namespace);
      assert.equal(
        (await mutated(plugin, testWrite({ object }))).refusal,
        isPermitted
          ? undefined
          : `pods with ${className} priorityClass is not permitted in ${namespace} namespace`,
      );
    });
});

describe('admission plugin Priority, updates', () => {
  const { plugin } = pluginWith([priorityClass('high', 2000)]);
  const old = { priorityClassName: 'high', priority: 1000, preemptionPolicy: PREEMPT };

  for (const [title, spec, after] of [
    [
      'an update without the fields keeps them, also when the class has changed',
      { priorityClassName: 'high' },
      old,
    ],
    ['an update with the fields keeps what it says', { ...old, priority: 3 }, { ...old, priority: 3 }],
  ] as const)
    it(title, async () => {
      const { object } = await mutated(plugin, testWrite({ object: pod(spec), oldObject: pod(old) }));
      assert.deepEqual(object?.['spec'], after);
    });

  it('a pod that was stored without a priority gets none', async () => {
    const { object } = await mutated(plugin, testWrite({ object: pod({}), oldObject: pod({}) }));
    assert.deepEqual(object?.['spec'], {});
  });

  it('subresources and other resources are not handled', () => {
    const object = pod({});
    assert.equal(plugin.handles(testWrite({ object, oldObject: object, subresource: 'status' })), false);
    assert.equal(plugin.handles(testWrite({ object, resource: 'nodes' })), false);
    assert.equal(plugin.handles(testWrite({ oldObject: object })), false);
  });
});

describe('admission plugin Priority, global defaults', () => {
  const write = { group: 'scheduling', resource: 'priorityclasses' } as const;
  const marked = (name: string): ApiObject => priorityClass(name, 1, globalDefault);
  const plain = (name: string): ApiObject => priorityClass(name, 1);

  for (const [title, present, object, oldObject, isRefused] of [
    ['a first default can be created', [plain('a')], marked('b'), undefined, false],
    ['a second default cannot be created', [marked('a')], marked('b'), undefined, true],
    ['a class beside the default can be created', [marked('a')], plain('b'), undefined, false],
    ['a class cannot become the second default', [marked('a'), plain('b')], marked('b'), plain('b'), true],
    ['a class can become the default when there is none', [plain('b')], marked('b'), plain('b'), false],
    ['the default can be updated', [marked('a')], marked('a'), marked('a'), false],
    ['a default can be given up', [marked('a'), marked('b')], plain('b'), marked('b'), false],
  ] as const)
    it(title, async () => {
      const { plugin } = pluginWith(present);
      const verdict = await validated(plugin, testWrite({ ...write, object, oldObject }));
      assert.equal(
        verdict,
        isRefused ? 'PriorityClass a is already marked as default. Only one default can exist' : undefined,
      );
    });

  it('a default that another replica has just stored is found', async () => {
    class Lagging extends MemoryObjectSource {
      override fresh(): Promise<void> {
        this.put(resource, marked('a'));
        return super.fresh();
      }
    }
    const { plugin } = pluginWith([], { source: new Lagging() });
    assert.match(
      String(await validated(plugin, testWrite({ ...write, object: marked('b') }))),
      /^PriorityClass a is already/,
    );
  });
});

describe('admission plugin Priority, new groups of pods', () => {
  const of = { group: 'scheduling', resource: 'podgroups' };
  const created = (spec: object, parts: Partial<PriorityParts> = {}) =>
    mutated(pluginWith([quiet], parts).plugin, testWrite({ ...of, object: pod(spec) }));

  it('a group gets the priority of its class', async () => {
    const { object } = await created({ priorityClassName: 'quiet' });
    assert.deepEqual(object?.['spec'], { priorityClassName: 'quiet', priority: 7 });
  });

  it('a group gets the preemption policy of its class with a feature gate', async () => {
    const { object } = await created({ priorityClassName: 'quiet' }, { setsPreemptionPolicyOfGroups: true });
    const preemptionPolicy = 'Never';
    assert.deepEqual(object?.['spec'], { priorityClassName: 'quiet', priority: 7, preemptionPolicy });
  });

  it('a group with another priority than that of its class is refused', async () => {
    const { refusal } = await created({ priorityClassName: 'quiet', priority: 8 });
    assert.equal(
      refusal,
      'priority set in the pod group (8) must match the priority computed (7) based on the priority class set in the spec',
    );
  });

  it('groups of earlier releases keep their priority', () => {
    const { plugin } = pluginWith([quiet], { setsPriorityOfGroups: false });
    assert.equal(plugin.handles(testWrite({ ...of, object: pod({}) })), false);
  });
});
