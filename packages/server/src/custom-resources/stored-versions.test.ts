import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deferred } from '@orch/machinery/concurrency';
import { convertGates, gate1, gate2, gateDefinition, gatesPath } from '../testing/gate-definition.ts';
import { GATE_DEFINITION, Gates, ok } from '../testing/gates.ts';

interface Cause {
  readonly field: string;
}

describe('status.storedVersions of definitions', () => {
  /** A definition with objects in v1, whose storage version is v2 now. */
  async function moved(): Promise<Gates> {
    const gates = await Gates.open({ storage: 'v1' });
    const { spec } = gateDefinition(gates.webhook) as { spec: { versions: unknown } };
    ok(await gates.api.patch(GATE_DEFINITION, { spec: { versions: spec.versions } }));
    return gates;
  }

  const causes = (text: string): readonly string[] =>
    (JSON.parse(text) as { details: { causes: readonly Cause[] } }).details.causes.map(({ field }) => field);

  it('the write that moves the storage version adds it to storedVersions', async () => {
    await using gates = await Gates.open({ storage: 'v1' });
    const { api } = gates;
    assert.deepEqual(ok(await api.get(GATE_DEFINITION)).json.status.storedVersions, ['v1']);
    const { spec } = gateDefinition(gates.webhook) as { spec: { versions: unknown } };
    const written = ok(await api.patch(GATE_DEFINITION, { spec: { versions: spec.versions } })).json;
    assert.deepEqual(written.status.storedVersions, ['v1', 'v2']);
    const back = gateDefinition(gates.webhook, { storage: 'v1' }) as { spec: { versions: unknown } };
    const again = ok(await api.patch(GATE_DEFINITION, { spec: { versions: back.spec.versions } })).json;
    assert.deepEqual(again.status.storedVersions, ['v1', 'v2']);
  });

  it('an update of the status that began before the storage version moved cannot remove the new version', async () => {
    await using gates = await Gates.open({ storage: 'v1' });
    const { api } = gates;
    const stale = ok(await api.get(GATE_DEFINITION)).json;
    const { spec } = gateDefinition(gates.webhook) as { spec: { versions: unknown } };
    ok(await api.patch(GATE_DEFINITION, { spec: { versions: spec.versions } }));
    assert.equal((await api.put(`${GATE_DEFINITION}/status`, stale)).status, 409);
    const patched = await api.patch(`${GATE_DEFINITION}/status`, { status: { storedVersions: ['v1'] } });
    assert.equal(patched.status, 422, patched.text);
    assert.deepEqual(causes(patched.text), ['status.storedVersions']);
    const spoiled = await api.patch(GATE_DEFINITION, { status: { storedVersions: ['v2'] } });
    assert.deepEqual(ok(spoiled).json.status.storedVersions, ['v1', 'v2'], 'only /status writes it');
  });

  it('a version can be removed from the spec only after it was removed from storedVersions', async () => {
    await using gates = await moved();
    const { api } = gates;
    const { spec } = gateDefinition(gates.webhook) as { spec: { versions: readonly { name: string }[] } };
    const without = { spec: { versions: spec.versions.filter(({ name }) => name !== 'v1') } };
    const refused = await api.patch(GATE_DEFINITION, without);
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(causes(refused.text), ['status.storedVersions[0]']);
    ok(await api.patch(`${GATE_DEFINITION}/status`, { status: { storedVersions: ['v2'] } }));
    assert.deepEqual(
      ok(await api.patch(GATE_DEFINITION, without)).json.spec.versions.map(
        ({ name }: { name: string }) => name,
      ),
      ['v2'],
    );
  });

  for (const [title, write] of [
    ['a creation', (gates: Gates) => gates.api.post(gatesPath('v1'), gate1('slow'))],
    ['an update', (gates: Gates) => gates.api.patch(gatesPath('v1', 'slow'), { spec: { port: 9 } })],
  ] as const) {
    it(`${title} that began before the storage version moved is not stored in the old version`, async () => {
      await using gates = await Gates.open({ storage: 'v2' });
      const { api, webhook } = gates;
      if (title === 'an update') ok(await api.post(gatesPath('v2'), gate2('slow')), 201);
      const asked = deferred<void>();
      const released = deferred<void>();
      webhook.answer = (review, response) => {
        asked.resolve();
        void released.promise.then(() => convertGates(review, response));
      };
      const writing = write(gates);
      await asked.promise;
      const { spec } = gateDefinition(webhook, { storage: 'v1' }) as { spec: { versions: unknown } };
      ok(await api.patch(GATE_DEFINITION, { spec: { versions: spec.versions } }));
      // The next request waits until the changed definition is served.
      ok(await api.get(GATE_DEFINITION));
      await api.get(gatesPath('v1', 'nothing'));
      released.resolve();
      const written = await writing;
      assert.equal(written.status, 503, written.text);
      assert.match(written.text, /the storage version of gates\.net\.example\.com has changed/);
      assert.equal(written.json.details.retryAfterSeconds, 1);
      webhook.answer = convertGates;
      ok(await write(gates), title === 'a creation' ? 201 : 200);
    });
  }
});
