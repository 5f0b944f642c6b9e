import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { type ApiObject, namesFor } from '@orch/machinery';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import { limitRanger } from './limit-ranger.ts';

const names = namesFor('orch');
const resource = 'persistentvolumeclaims';

/** The plugin, with a limit range of these items in the namespace `ns`. */
function pluginWith(...limits: readonly object[]) {
  const source = new MemoryObjectSource();
  source.put('limitranges', { metadata: { name: 'l', namespace: 'ns' }, spec: { limits } });
  return { source, plugin: limitRanger({ source, names }) };
}

interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

const container = (name: string, resources?: Resources): object => ({
  name,
  ...(resources === undefined ? {} : { resources }),
});
const podWith = (containers: readonly object[], initContainers?: readonly object[]): ApiObject => ({
  metadata: { name: 'p', namespace: 'ns' },
  spec: { containers, ...(initContainers === undefined ? {} : { initContainers }) },
});
const claim = (storage: string): ApiObject => ({
  metadata: { name: 'c', namespace: 'ns' },
  spec: { resources: { requests: { storage } } },
});

describe('admission plugin LimitRanger, defaults', () => {
  const item = {
    type: 'Container',
    default: { cpu: '2', memory: '1Gi' },
    defaultRequest: { cpu: '1', memory: '512Mi' },
  };

  it('containers without requests and limits get those of the limit range, and an annotation lists them', async () => {
    const { plugin } = pluginWith(item);
    const object = podWith(
      [container('a'), container('b', { requests: { cpu: '3' }, limits: { cpu: '4', memory: '2Gi' } })],
      [container('i', { limits: { cpu: '1', memory: '1Gi' } })],
    );
    const after = await mutated(plugin, testWrite({ object }));
    assert.deepEqual(after.object, {
      metadata: {
        name: 'p',
        namespace: 'ns',
        annotations: {
          'orch.io/limit-ranger':
            'LimitRanger plugin set: cpu, memory request for init container i; cpu, memory request for container a; cpu, memory limit for container a; memory request for container b',
        },
      },
      spec: {
        containers: [
          container('a', { requests: item.defaultRequest, limits: item.default }),
          container('b', { requests: { cpu: '3', memory: '512Mi' }, limits: { cpu: '4', memory: '2Gi' } }),
        ],
        initContainers: [
          container('i', { limits: { cpu: '1', memory: '1Gi' }, requests: item.defaultRequest }),
        ],
      },
    });
  });

  it('pods of other namespaces, and pods whose containers specify everything, are not changed', async () => {
    const { plugin } = pluginWith(item);
    const full = podWith([container('a', { requests: item.defaultRequest, limits: item.default })]);
    assert.deepEqual((await mutated(plugin, testWrite({ object: full }))).object, full);
    const elsewhere = { ...podWith([container('a')]), metadata: { name: 'p', namespace: 'other' } };
    assert.deepEqual((await mutated(plugin, testWrite({ object: elsewhere }))).object, elsewhere);
  });

  it('changes and deletions of limit ranges take effect', async () => {
    const { plugin, source } = pluginWith(item);
    const limits = [{ type: 'Container', defaultRequest: { cpu: '7' } }];
    source.put('limitranges', { metadata: { name: 'l', namespace: 'ns' }, spec: { limits } });
    const object = podWith([container('a')]);
    const changed = await mutated(plugin, testWrite({ object }));
    assert.deepEqual(changed.object?.['spec'], { containers: [container('a', { requests: { cpu: '7' } })] });
    source.delete('limitranges', 'ns/l');
    assert.deepEqual((await mutated(plugin, testWrite({ object }))).object, object);
  });

  it('updates of pods, and subresources, are not handled', () => {
    const { plugin } = pluginWith(item);
    const object = podWith([container('a')]);
    assert.equal(plugin.handles(testWrite({ object, oldObject: object })), false);
    assert.equal(plugin.handles(testWrite({ object, subresource: 'binding' })), false);
    assert.equal(
      plugin.handles(testWrite({ object: claim('1Gi'), oldObject: claim('1Gi'), resource })),
      true,
    );
  });
});

describe('admission plugin LimitRanger, bounds', () => {
  const requesting = (cpu: string): Resources => ({ requests: { cpu } });
  const limited = (cpu: string): Resources => ({ limits: { cpu } });
  const minimum = { type: 'Container', min: { cpu: '100m' } };
  const maximum = { type: 'Container', max: { cpu: '2' } };
  const ratio = { type: 'Container', maxLimitRequestRatio: { cpu: '2' } };
  const ofPod = { type: 'Pod', max: { cpu: '2' } };

  for (const [item, resources, expected] of [
    [minimum, requesting('100m'), undefined],
    [minimum, requesting('50m'), 'minimum cpu usage per Container is 100m, but request is 50m'],
    [minimum, undefined, 'minimum cpu usage per Container is 100m.  No request is specified'],
    [
      minimum,
      { ...requesting('100m'), ...limited('50m') },
      'minimum cpu usage per Container is 100m, but limit is 50m',
    ],
    [maximum, limited('2'), undefined],
    [maximum, limited('2001m'), 'maximum cpu usage per Container is 2, but limit is 2001m'],
    [maximum, requesting('1'), 'maximum cpu usage per Container is 2.  No limit is specified'],
    [
      maximum,
      { ...requesting('3'), ...limited('2') },
      'maximum cpu usage per Container is 2, but request is 3',
    ],
    [ratio, { ...requesting('1'), ...limited('2') }, undefined],
    [
      ratio,
      { ...requesting('1'), ...limited('3') },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
    [
      ratio,
      limited('3'),
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      ratio,
      requesting('1'),
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
  ] as const)
    it(`a container with ${JSON.stringify(resources ?? {})} under ${JSON.stringify(item)} is ${expected === undefined ? 'admitted' : 'refused'}`, () => {
      const { plugin } = pluginWith(item);
      assert.equal(validated(plugin, testWrite({ object: podWith([container('a', resources)]) })), expected);
    });

  it('initial containers are bounded as containers are', () => {
    const { plugin } = pluginWith(maximum);
    const object = podWith([container('a', limited('1'))], [container('i', limited('3'))]);
    assert.equal(
      validated(plugin, testWrite({ object })),
      'maximum cpu usage per Container is 2, but limit is 3',
    );
  });

  for (const [title, object, expected] of [
    [
      'the sum of its containers',
      podWith([container('a', limited('1')), container('b', limited('1'))]),
      undefined,
    ],
    [
      'the sum of its containers when it is larger',
      podWith([container('a', limited('1')), container('b', limited('1500m'))]),
      'maximum cpu usage per Pod is 2, but limit is 2500m',
    ],
    [
      'the largest initial container',
      podWith([container('a', limited('1'))], [container('i', limited('3'))]),
      'maximum cpu usage per Pod is 2, but limit is 3',
    ],
    [
      'a container without a limit',
      podWith([container('a', limited('1')), container('b')]),
      'maximum cpu usage per Pod is 2.  No limit is specified',
    ],
  ] as const)
    it(`a pod is bounded by ${title}`, () => {
      assert.equal(validated(pluginWith(ofPod).plugin, testWrite({ object })), expected);
    });

  it('claims are bounded from both sides, when they are created and when they grow', () => {
    const { plugin } = pluginWith({
      type: 'PersistentVolumeClaim',
      min: { storage: '1Gi' },
      max: { storage: '2Gi' },
    });
    const refusal = (storage: string, oldObject?: ApiObject): unknown =>
      validated(plugin, testWrite({ resource, object: claim(storage), oldObject }));
    assert.equal(refusal('1Gi'), undefined);
    assert.equal(
      refusal('1Mi'),
      'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
    );
    assert.equal(
      refusal('3Gi', claim('1Gi')),
      'maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
    );
  });

  it('a claim must request what is bounded, and has no ratio of limit and request', () => {
    const type = 'PersistentVolumeClaim';
    const { plugin } = pluginWith({ type, max: { files: '9' }, maxLimitRequestRatio: { other: '1' } });
    assert.equal(
      validated(plugin, testWrite({ resource, object: claim('1Gi') })),
      'maximum files usage per PersistentVolumeClaim is 9.  No request is specified',
    );
  });

  it('all problems are in one message', () => {
    const { plugin } = pluginWith(minimum, ofPod);
    assert.equal(
      validated(plugin, testWrite({ object: podWith([container('a')]) })),
      '[minimum cpu usage per Container is 100m.  No request is specified, maximum cpu usage per Pod is 2.  No limit is specified]',
    );
  });
});
