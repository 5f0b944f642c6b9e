import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, type Fence, fencedTransport, isConflict, networkTransport } from '@orch/client';
import { namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { launchServer } from '@orch/testkit';
import { adminClient, adminSettings } from './connection.ts';

describe('fenced writes', { timeout: 120_000 }, () => {
  it('the server executes writes of a fenced transport while its Lease is held, and rejects them with a conflict afterwards', async () => {
    await using server = await launchServer();
    await using connected = adminClient(server, 'orch');
    const { client } = connected;
    const names = namesFor('orch');
    const group = names.group('coordination');
    const leases = client.resource(
      { group, version: 'v1', resource: 'leases', kind: 'Lease', namespaced: true },
      'default',
    );
    const held = await leases.create({
      metadata: { name: 'boss' },
      spec: { holderIdentity: 'a', leaseTransitions: 0, leaseDurationSeconds: 15 },
    });
    const { uid = '' } = held.metadata;
    const fence: Fence = { namespace: 'default', name: 'boss', uid, holder: 'a', transitions: 0 };
    const env = systemEnv({ log: silentLogger });
    const transport = networkTransport(adminSettings(server), env);
    // A leader whose clock is unreliable: like one whose writes were sent in time, and delayed in the network.
    const leadership = { signal: new AbortController().signal, fence, isValid: () => true };
    const work = createClient({
      transport: fencedTransport(transport, leadership),
      names,
      env,
      userAgent: 'leader/1',
    });
    const resource = {
      group: '',
      version: 'v1',
      resource: 'configmaps',
      kind: 'ConfigMap',
      namespaced: true,
    };
    const maps = work.resource(resource, 'default');
    try {
      await maps.create({ metadata: { name: 'work' }, data: { by: 'a' } } as never);
      await leases.patch.merge('boss', { spec: { leaseDurationSeconds: 16 } });
      await maps.patch.merge('work', { data: { by: 'a again' } });
      await leases.patch.merge('boss', { spec: { holderIdentity: 'b', leaseTransitions: 1 } });
      for (const late of [
        () => maps.patch.merge('work', { data: { by: 'a, late' } }),
        () => maps.create({ metadata: { name: 'late' } }),
        () => maps.delete('work'),
      ]) {
        await assert.rejects(late, (error) => isConflict(error) && /is held by "b"/.test(String(error)));
      }
      const { items } = await maps.list();
      const own = items.filter(({ metadata }) => ['work', 'late'].includes(metadata.name ?? ''));
      assert.deepEqual(
        own.map((object) => (object as unknown as { data: unknown }).data),
        [{ by: 'a again' }],
      );
    } finally {
      await transport.close();
    }
  });
});
