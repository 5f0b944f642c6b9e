import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerLoop, informerFactory } from '@orch/client';
import { settle } from '@orch/machinery/testing';
import { discoveredApi, served } from '../namespace/testing/discovered-api.ts';
import { podGroupProtectionController } from './controller.ts';

const SERVICES = 'apiregistration.orch.io';
const GROUP = 'scheduling.orch.io';
const NOW = '2024-01-01T00:00:00Z';
const apiServices = served('apiservices', 'APIService', { group: SERVICES, namespaced: false });

/** A server with the versions of groups, and the controller beside it. */
function open(version: string) {
  const groups = served('podgroups', 'PodGroup', { group: GROUP, version });
  const { api, client, env, stop } = discoveredApi([apiServices, served('pods', 'Pod'), groups]);
  const informers = informerFactory({ client, env, freeze: true });
  const context = { env, client, informers, events: { record: () => {} } };
  const loop = controllerLoop(env, podGroupProtectionController(context));
  const runs = [loop.run(stop.signal), informers.run(stop.signal)];
  const finalizer = client.names.finalizers.podGroupProtection;
  const placeOf = (collection: string, name: string, namespace = 'n') => ({ collection, namespace, name });
  const group = placeOf(`${GROUP}/podgroups`, 'g');
  const service = placeOf(`${SERVICES}/apiservices`, `${version}.${GROUP}`, '');
  api.objects.create(service, { metadata: {} }, NOW);
  return {
    ...api,
    group,
    finalizer,
    addGroup: (finalizers: readonly string[] = [finalizer]) =>
      api.objects.create(
        group,
        { metadata: { name: 'g', namespace: 'n', finalizers: [...finalizers] } },
        NOW,
      ),
    addPod: (name: string, podGroupName = 'g', phase = 'Running') => {
      const pod = { metadata: { name, namespace: 'n' }, spec: { schedulingGroup: { podGroupName } } };
      return api.objects.create(placeOf('/pods', name), { ...pod, status: { phase } }, NOW);
    },
    pod: (name: string) => placeOf('/pods', name),
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

const exists = ({ objects, group }: ReturnType<typeof open>): boolean =>
  objects.list(group.collection).length > 0;

describe('protection of PodGroups', () => {
  for (const version of ['v1beta1', 'v1alpha3', 'v1alpha2'])
    it(`a deleted group of ${version} remains until its last active pod has ended or is gone`, async () => {
      await using server = open(version);
      server.addGroup();
      server.addPod('a');
      server.addPod('b');
      server.addPod('ended', 'g', 'Succeeded');
      server.addPod('other', 'h');
      await server.pass();
      server.objects.delete(server.group, {}, NOW);
      await server.pass();
      assert.ok(exists(server), 'the group is used by two pods');
      server.objects.delete(server.pod('a'), {}, NOW);
      await server.pass();
      assert.ok(exists(server), 'the group is used by one pod');
      const b = server.objects.get(server.pod('b'));
      server.objects.update(server.pod('b'), { ...b, status: { phase: 'Failed' } });
      await server.pass();
      assert.equal(exists(server), false);
    });

  it('a deleted group without pods is removed, and other finalizers and groups stay', async () => {
    await using server = open('v1beta1');
    server.addGroup([server.finalizer, 'a/b']);
    await server.pass();
    assert.deepEqual(server.objects.get(server.group).metadata.finalizers, [server.finalizer, 'a/b']);
    server.objects.delete(server.group, {}, NOW);
    await server.pass();
    assert.deepEqual(server.objects.get(server.group).metadata.finalizers, ['a/b']);
  });
});
