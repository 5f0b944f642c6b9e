import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@orch/machinery/testing';
import { GATE_GROUP, gate1, gate2, gateDefinition, gatesPath } from '../testing/gate-definition.ts';
import { GATE_DEFINITION, Gates, ok } from '../testing/gates.ts';
import type { Review } from '../testing/webhook-server.ts';

describe('objects stored in an older storage version', () => {
  /** Gates with `a` stored as v1, of a definition whose storage version is v2 now. */
  async function migrated(): Promise<Gates> {
    const gates = await Gates.open({ storage: 'v1' });
    const { api, webhook } = gates;
    ok(await api.post(gatesPath('v1'), gate1('unread', 'h', 9)), 201);
    ok(await api.post(gatesPath('v1'), gate1('old', 'h', 5)), 201);
    assert.equal(webhook.reviews.length, 0);
    const { spec } = gateDefinition(webhook) as { spec: { versions: unknown } };
    ok(await api.patch(GATE_DEFINITION, { spec: { versions: spec.versions } }));
    await until(
      async () => ok(await api.get(gatesPath('v2', 'old'))).json.spec.tier !== undefined,
      'v2 is stored',
    );
    ok(await api.post(gatesPath('v2'), gate2('new', 'i:6')), 201);
    return gates;
  }

  it('objects in an older storage version are read in every version, without the webhook in their own', async () => {
    await using gates = await migrated();
    const { api, webhook } = gates;
    assert.deepEqual(ok(await api.get(gatesPath('v2', 'old'))).json.spec, { address: 'h:5', tier: 'usual' });
    const listed = ok(await api.get(gatesPath('v2'))).json;
    assert.deepEqual(
      listed.items.map(({ apiVersion, spec }: Review) => [apiVersion, spec.address]),
      [
        [`${GATE_GROUP}/v2`, 'i:6'],
        [`${GATE_GROUP}/v2`, 'h:5'],
        [`${GATE_GROUP}/v2`, 'h:9'],
      ],
    );
    const table = await api.get(gatesPath('v2'), { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' });
    assert.deepEqual(
      ok(table).json.rows.map(({ cells }: Review) => cells[1]),
      ['i:6', 'h:5', 'h:9'],
    );
    await webhook.stop();
    assert.deepEqual(ok(await api.get(gatesPath('v1', 'old'))).json.spec, { host: 'h', port: 5 });
    ok(await api.get(gatesPath('v2', 'new')));
  });

  it('objects in an older storage version are stored in the new version by the next write, also by one that changes nothing', async () => {
    await using gates = await migrated();
    const { api, webhook } = gates;
    const read = ok(await api.get(gatesPath('v2', 'old')));
    const written = ok(await api.put(gatesPath('v2', 'old'), read.json));
    assert.notEqual(written.json.metadata.resourceVersion, read.json.metadata.resourceVersion);
    await api.settled();
    await webhook.stop();
    assert.equal(ok(await api.get(gatesPath('v2', 'old'))).json.spec.address, 'h:5');
  });

  it('objects in an older storage version are changed and deleted through either version', async () => {
    await using gates = await migrated();
    const { api } = gates;
    ok(await api.patch(gatesPath('v1', 'old'), { spec: { port: 8 } }));
    assert.equal(ok(await api.get(gatesPath('v2', 'old'))).json.spec.address, 'h:8');
    ok(await api.delete(gatesPath('v1', 'old')));
    assert.equal((await api.get(gatesPath('v2', 'old'))).status, 404);
  });

  it('objects stored in an older storage version that cannot be converted are neither changed nor deleted without their finalizers', async () => {
    await using gates = await migrated();
    const { api, webhook } = gates;
    await webhook.stop();
    for (const refused of [
      await api.delete(gatesPath('v2', 'unread')),
      await api.patch(gatesPath('v2', 'unread'), { metadata: { finalizers: null } }),
    ])
      assert.equal(refused.status, 500, refused.text);
    await webhook.start();
    assert.equal(ok(await api.get(gatesPath('v2', 'unread'))).json.spec.address, 'h:9');
  });

  it('objects stored in an older storage version that cannot be converted are errors for reads, and are removed with the option for it', async () => {
    await using gates = await migrated();
    const { api, webhook } = gates;
    await webhook.stop();
    for (const path of [gatesPath('v2', 'unread'), gatesPath('v2')]) {
      const answer = await api.get(path);
      assert.equal(answer.status, 500, `${path}: ${answer.text}`);
    }
    const option = 'ignoreStoreReadErrorWithClusterBreakingPotential=true';
    ok(await api.delete(`${gatesPath('v2', 'unread')}?${option}`));
    assert.equal((await api.get(gatesPath('v1', 'unread'))).status, 404);
  });
});
