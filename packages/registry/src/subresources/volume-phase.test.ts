import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const path = '/api/v1/persistentvolumes';
const volume = {
  kind: 'PersistentVolume',
  apiVersion: 'v1',
  metadata: { name: 'v' },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/v' } },
};

describe('the time of the last change of the phase of a volume', () => {
  it('a new volume has no time of its phase before release 1.29', async () => {
    await using api = await RegistryFixture.open({ release: '1.28' });
    assert.deepEqual((await api.post(path, volume)).json.status, { phase: 'Pending' });
  });

  it('the server sets the time of the phase, keeps it while the phase is the same, and takes a given one', async () => {
    await using api = await RegistryFixture.open({ release: '1.29' });
    const { json: created } = await api.post(path, volume);
    const { lastPhaseTransitionTime: first, phase } = created.status;
    assert.deepEqual([phase, first], ['Pending', created.metadata.creationTimestamp]);
    const put = async (status: object): Promise<Record<string, unknown>> => {
      api.env.clock.advance(60_000);
      const answer = await api.put(`${path}/v/status`, {
        ...volume,
        metadata: { name: 'v', uid: created.metadata.uid },
        status,
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.json.status;
    };
    assert.deepEqual(await put({ phase: 'Pending' }), { phase, lastPhaseTransitionTime: first });
    const available = await put({ phase: 'Available', lastPhaseTransitionTime: first });
    assert.notEqual(available['lastPhaseTransitionTime'], first);
    const bound = await put({ phase: 'Bound' });
    assert.notEqual(bound['lastPhaseTransitionTime'], available['lastPhaseTransitionTime']);
    const given = { phase: 'Released', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' };
    assert.deepEqual(await put(given), given);
  });
});
