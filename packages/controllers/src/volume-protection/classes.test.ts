import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerLoop, informerFactory } from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { settle } from '@orch/machinery/testing';
import { discoveredApi, served } from '../namespace/testing/discovered-api.ts';
import { classesOfClaim, classProtectionController } from './classes-controller.ts';

const SERVICES = 'apiregistration.orch.io';
const GROUP = 'storage.orch.io';
const NOW = '2024-01-01T00:00:00Z';
const unscoped = { namespaced: false };

/** A server with the class `fast` in a version, and the controller beside it. */
function open(version = 'v1', finalizers?: readonly string[]) {
  const { api, client, env, stop } = discoveredApi([
    served('apiservices', 'APIService', { group: SERVICES, ...unscoped }),
    served('persistentvolumeclaims', 'PersistentVolumeClaim'),
    served('persistentvolumes', 'PersistentVolume', unscoped),
    served('volumeattributesclasses', 'VolumeAttributesClass', { group: GROUP, version, ...unscoped }),
  ]);
  const informers = informerFactory({ client, env, freeze: true });
  const context = { env, client, informers, events: { record: () => {} } };
  const loop = controllerLoop(env, classProtectionController(context));
  const runs = [loop.run(stop.signal), informers.run(stop.signal)];
  const finalizer = client.names.finalizers.vacProtection;
  const fast = { collection: `${GROUP}/volumeattributesclasses`, namespace: '', name: 'fast' };
  const claim = { collection: '/persistentvolumeclaims', namespace: 'n', name: 'c' };
  const volume = { collection: '/persistentvolumes', namespace: '', name: 'v' };
  const service = { collection: `${SERVICES}/apiservices`, namespace: '', name: `${version}.${GROUP}` };
  api.objects.create(service, { metadata: {} }, NOW);
  api.objects.create(
    fast,
    { metadata: { name: 'fast', finalizers: [...(finalizers ?? [finalizer])] }, driverName: 'd' },
    NOW,
  );
  return {
    api,
    finalizer,
    fast,
    claim,
    volume,
    isGone: () => api.objects.list(fast.collection).length === 0,
    finalizers: () => api.objects.get(fast).metadata.finalizers,
    create: (place: typeof claim, fields: Record<string, unknown>): void => {
      const { name, namespace } = place;
      const metadata = { name, ...(namespace && { namespace }) };
      api.objects.create(place, { metadata, ...fields } as ApiObject, NOW);
    },
    change: (place: typeof claim, fields: Record<string, unknown>): void => {
      api.objects.update(place, { ...api.objects.get(place), ...fields });
    },
    delete: (place: typeof claim): void => {
      api.objects.delete(place, {}, NOW);
    },
    async pass(): Promise<void> {
      for (let turn = 0; turn < 3; turn++) {
        for (let wait = 0; wait < 100; wait++) await settle();
        await env.clock.advanceAsync(1000);
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      stop.abort();
      await Promise.all(runs);
    },
  };
}

describe('protection of VolumeAttributesClasses', () => {
  for (const version of ['v1', 'v1beta1', 'v1alpha1'])
    it(`a deleted class of ${version} remains until the last claim and the last volume name others`, async () => {
      await using server = open(version);
      server.create(server.claim, { spec: { volumeAttributesClassName: 'fast' } });
      server.create(server.volume, { spec: { volumeAttributesClassName: 'fast' } });
      await server.pass();
      server.delete(server.fast);
      await server.pass();
      assert.deepEqual(server.finalizers(), [server.finalizer]);
      server.change(server.claim, { spec: { volumeAttributesClassName: 'slow' } });
      await server.pass();
      assert.deepEqual(server.finalizers(), [server.finalizer], 'the volume uses the class');
      server.delete(server.volume);
      await server.pass();
      assert.ok(server.isGone());
    });

  it('a class without the finalizer gets it, even one in use, and other finalizers stay', async () => {
    await using server = open('v1', ['a/b']);
    server.create(server.claim, { spec: { volumeAttributesClassName: 'fast' } });
    await server.pass();
    assert.deepEqual(server.finalizers(), ['a/b', server.finalizer]);
    server.delete(server.claim);
    server.delete(server.fast);
    await server.pass();
    assert.deepEqual(server.finalizers(), ['a/b']);
  });

  it('a claim uses the class that it asks for, has, or changes to', () => {
    const status = {
      currentVolumeAttributesClassName: 'b',
      modifyVolumeStatus: { status: 'InProgress', targetVolumeAttributesClassName: 'c' },
    };
    const spec = { volumeAttributesClassName: 'a' };
    assert.deepEqual(classesOfClaim({ metadata: {}, spec, status }), ['a', 'b', 'c']);
    assert.deepEqual(classesOfClaim({ metadata: {}, spec: { volumeAttributesClassName: '' } }), []);
  });
});
