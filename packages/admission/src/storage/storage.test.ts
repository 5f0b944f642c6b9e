import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryObjectSource } from '@orch/auth/testing';
import { namesFor } from '@orch/machinery';
import { mutated, testWrite, validated } from '../testing/plugin-calls.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';

const names = namesFor('kubernetes');
const resource = 'persistentvolumeclaims';

/** Storage classes by name: the default ones with the time of their creation, null for others. */
function classes(
  byName: Readonly<Record<string, string | null>>,
  annotation = 'storageclass',
): MemoryObjectSource {
  const source = new MemoryObjectSource();
  for (const [name, createdAt] of Object.entries(byName))
    source.put('storageclasses.storage', {
      metadata:
        createdAt === null
          ? { name }
          : {
              name,
              creationTimestamp: createdAt,
              annotations: { [`${annotation}.kubernetes.io/is-default-class`]: 'true' },
            },
    });
  return source;
}

describe('admission plugin DefaultStorageClass', () => {
  const claim = { metadata: { name: 'c', namespace: 'ns' }, spec: {} };
  const creating = (object: object = claim) => testWrite({ resource, object: object as typeof claim });
  const plugin = (source: MemoryObjectSource, refusesSeveralDefaults = true) =>
    defaultStorageClass({ source, names, refusesSeveralDefaults });
  const one = classes({ slow: null, fast: '2026-01-01T00:00:00Z' });
  const two = classes({ a: '2026-01-01T00:00:00Z', b: '2026-01-02T00:00:00Z', c: '2026-01-02T00:00:00Z' });

  it('a claim without a class gets the default one', async () => {
    const { object } = await mutated(plugin(one), creating());
    assert.deepEqual(object?.['spec'], { storageClassName: 'fast' });
    const beta = await mutated(
      plugin(classes({ old: '2026-01-01T00:00:00Z' }, 'storageclass.beta')),
      creating(),
    );
    assert.deepEqual(beta.object?.['spec'], { storageClassName: 'old' });
  });

  it('a claim keeps the class that it names, also an empty one and one in the annotation', async () => {
    for (const own of [
      { ...claim, spec: { storageClassName: 'slow' } },
      { ...claim, spec: { storageClassName: '' } },
      {
        ...claim,
        metadata: { ...claim.metadata, annotations: { [names.annotations.betaStorageClass]: '' } },
      },
    ])
      assert.deepEqual((await mutated(plugin(one), creating(own))).object, own);
  });

  it('without a default class claims stay as they are', async () => {
    assert.deepEqual((await mutated(plugin(classes({ slow: null })), creating())).object, claim);
  });

  it('several default classes are refused, or the newest is used, by release', async () => {
    assert.equal((await mutated(plugin(two), creating())).refusal, '3 default StorageClasses were found');
    const { object } = await mutated(plugin(two, false), creating());
    assert.deepEqual(object?.['spec'], { storageClassName: 'b' });
  });

  it('updates are not changed', () => {
    assert.equal(plugin(one).handles({ ...creating(), operation: 'UPDATE' }), false);
  });
});

describe('admission plugin StorageObjectInUseProtection', () => {
  const plugin = storageObjectInUseProtection({ names, protectsVolumeAttributesClasses: true });
  for (const [kind, finalizer, group] of [
    ['persistentvolumes', 'kubernetes.io/pv-protection', ''],
    ['persistentvolumeclaims', 'kubernetes.io/pvc-protection', ''],
    ['volumeattributesclasses', 'kubernetes.io/vac-protection', 'storage'],
  ] as const) {
    it(`new ${kind} get their finalizer once`, async () => {
      const finalizersOf = async (finalizers: string[]) =>
        (
          await mutated(
            plugin,
            testWrite({ group, resource: kind, object: { metadata: { name: 'x', finalizers } } }),
          )
        ).object?.metadata.finalizers;
      assert.deepEqual(await finalizersOf(['a']), ['a', finalizer]);
      assert.deepEqual(await finalizersOf([finalizer]), [finalizer]);
    });
  }

  it('other objects and updates are not changed', () => {
    const write = testWrite({ resource, object: { metadata: {} } });
    assert.equal(plugin.handles({ ...write, resource: 'pods' }), false);
    assert.equal(plugin.handles({ ...write, operation: 'UPDATE' }), false);
  });

  it('classes are not changed in releases whose classes have no protection', () => {
    const unprotected = storageObjectInUseProtection({ names, protectsVolumeAttributesClasses: false });
    const write = testWrite({
      group: 'storage',
      resource: 'volumeattributesclasses',
      object: { metadata: {} },
    });
    assert.equal(unprotected.handles(write), false);
  });
});

describe('admission plugin PersistentVolumeClaimResize', () => {
  const source = new MemoryObjectSource();
  for (const [name, allowVolumeExpansion] of [
    ['grows', true],
    ['fixed', false],
  ] as const)
    source.put('storageclasses.storage', { metadata: { name }, allowVolumeExpansion });
  const plugin = persistentVolumeClaimResize({ source, names });
  it('a claim does not grow together with a change of its class', () => {
    const write = testWrite({
      resource,
      oldObject: claim('1Gi', undefined),
      object: claim('2Gi', 'grows'),
    });
    assert.match(String(validated(plugin, write)), /must support resize$/);
  });

  const claim = (storage: string, storageClassName: string | undefined, phase = 'Bound') => ({
    metadata: { name: 'c', namespace: 'ns' },
    spec: {
      resources: { requests: { storage } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
    status: { phase },
  });
  for (const [title, from, to, storageClass, phase, expected] of [
    ['a claim grows when its class allows it', '1Gi', '2Gi', 'grows', 'Bound', undefined],
    ['a claim of another class does not grow', '1Gi', '2Gi', 'fixed', 'Bound', /must support resize$/],
    [
      'a claim of a class that does not exist does not grow',
      '1Gi',
      '2Gi',
      'gone',
      'Bound',
      /must support resize$/,
    ],
    ['a claim without a class does not grow', '1Gi', '2Gi', undefined, 'Bound', /must support resize$/],
    ['a claim that is not bound does not grow', '1Gi', '2Gi', 'grows', 'Pending', /^Only bound/],
    ['the same size in other units is not growth', '1Gi', '1024Mi', 'fixed', 'Bound', undefined],
  ] as const)
    it(title, () => {
      const write = testWrite({
        resource,
        oldObject: claim(from, storageClass, phase),
        object: claim(to, storageClass, phase),
      });
      const refusal = validated(plugin, write);
      if (expected === undefined) assert.equal(refusal, undefined);
      else assert.match(String(refusal), expected);
    });
});
