import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { controllerLoop, informerFactory } from '@orch/client';
import { settle } from '@orch/machinery/testing';
import { discoveredApi, served } from '../namespace/testing/discovered-api.ts';
import { storageVersionMigratorController } from './controller.ts';

const GROUP = 'storagemigration.orch.io';
const SERVICES = 'apiregistration.orch.io';
const apiServices = served('apiservices', 'APIService', { group: SERVICES, namespaced: false });
const migrations = (version: string) =>
  served('storageversionmigrations', 'StorageVersionMigration', { group: GROUP, version, namespaced: false });
const configMaps = served('configmaps', 'ConfigMap');
const NOW = '2024-01-01T00:00:00Z';

describe('the storage version migrator at a server without migrations', () => {
  for (const version of ['v1', 'v1beta1']) {
    it(`requests nothing of migrations until the server serves ${version}, and executes them from then on`, async () => {
      const made = discoveredApi([apiServices, configMaps]);
      const { api, client, env, stop } = made;
      const informers = informerFactory({ client, env, freeze: true });
      const context = { env, client, informers, events: { record: () => {} } };
      const loop = controllerLoop(env, storageVersionMigratorController(context, { writesPerSecond: 1e9 }));
      const runs = [loop.run(stop.signal), informers.run(stop.signal)];
      const pass = async (): Promise<void> => {
        for (let turn = 0; turn < 200; turn++) await settle();
        await env.clock.advanceAsync(1000);
        for (let turn = 0; turn < 200; turn++) await settle();
      };
      await pass();
      assert.ok(loop.isSynced);
      assert.deepEqual(
        api.requests.filter(({ target }) => target.includes(GROUP) && !target.includes(SERVICES)),
        [],
      );

      made.resources.add(migrations(version));
      const place = (group: string, resource: string, name: string) => ({
        collection: `${group}/${resource}`,
        namespace: '',
        name,
      });
      api.objects.create(place(SERVICES, 'apiservices', `${version}.${GROUP}`), { metadata: {} }, NOW);
      const own = place(GROUP, 'storageversionmigrations', 'm');
      const spec = { resource: { group: '', resource: 'configmaps' } };
      api.objects.create(own, { metadata: {}, spec, status: {} }, NOW);
      await pass();
      assert.match(JSON.stringify(api.objects.get(own)['status']), /"type":"Succeeded","status":"True"/);
      stop.abort();
      await Promise.all(runs);
    });
  }
});
