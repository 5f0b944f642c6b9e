import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const path = '/apis/batch/v1/namespaces/default/jobs';
const job = {
  kind: 'Job',
  apiVersion: 'batch/v1',
  metadata: { name: 'j' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
};

describe('manualSelector of a job', () => {
  it('a job says from release 1.29 on that its selector is not manual, and its creator owns the field', async () => {
    for (const [release, manual] of [
      ['1.28', undefined],
      ['1.29', false],
    ] as const) {
      await using api = await RegistryFixture.open({ release });
      const { status, json } = await api.post(path, job);
      assert.deepEqual([status, json.spec.manualSelector], [201, manual]);
      const [{ fieldsV1 }] = json.metadata.managedFields;
      assert.equal('f:manualSelector' in fieldsV1['f:spec'], manual !== undefined);
      assert.ok('selector' in json.spec);
    }
  });

  it('an update of a job that an earlier release stored adds the field, also without naming it', async () => {
    await using earlier = await RegistryFixture.open({ release: '1.28' });
    const { json: stored } = await earlier.post(path, job);
    await using later = await RegistryFixture.open({ release: '1.29', store: earlier.model });
    const { status, json } = await later.put(`${path}/j`, {
      ...stored,
      metadata: { ...stored.metadata, labels: {} },
    });
    assert.deepEqual([status, json.spec.manualSelector], [200, false]);
  });
});
