import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryFixture } from '../testing/registry-fixture.ts';

const accept = 'application/json;as=Table;v=v1;g=meta.orch.io';
const batch = '/apis/batch/v1/namespaces/default';

const job = {
  kind: 'Job',
  apiVersion: 'batch/v1',
  metadata: { name: 'j' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
};

const columnsOf = async (api: RegistryFixture, path: string): Promise<readonly string[]> =>
  (await api.get(path, { accept })).json.columnDefinitions
    .filter(({ priority }: { priority: number }) => priority === 0)
    .map(({ name }: { name: string }) => name);

describe('columns of tables by release', () => {
  it('a table has the columns and cells of the emulated release', async () => {
    for (const [release, columns, cells] of [
      ['1.29', ['Name', 'Completions', 'Duration', 'Age'], ['j', '0/1', '']],
      ['1.30', ['Name', 'Status', 'Completions', 'Duration', 'Age'], ['j', 'Running', '0/1', '']],
    ] as const) {
      await using api = await RegistryFixture.open({ release });
      await api.post(`${batch}/jobs`, job);
      assert.deepEqual(await columnsOf(api, `${batch}/jobs`), columns);
      const [row] = (await api.get(`${batch}/jobs`, { accept })).json.rows;
      assert.deepEqual(row.cells.slice(0, cells.length), cells);
    }
  });

  it('cron jobs show their time zone from release 1.30 on, priority classes their policy from 1.32 on', async () => {
    const classes = '/apis/scheduling.orch.io/v1/priorityclasses';
    await using earlier = await RegistryFixture.open({ release: '1.29' });
    assert.ok(!(await columnsOf(earlier, `${batch}/cronjobs`)).includes('Timezone'));
    assert.ok(!(await columnsOf(earlier, classes)).includes('PreemptionPolicy'));
    await using later = await RegistryFixture.open({ release: '1.32' });
    assert.deepEqual(await columnsOf(later, `${batch}/cronjobs`), [
      'Name',
      'Schedule',
      'Timezone',
      'Suspend',
      'Active',
      'Last Schedule',
      'Age',
    ]);
    assert.deepEqual(await columnsOf(later, classes), [
      'Name',
      'Value',
      'Global-Default',
      'Age',
      'PreemptionPolicy',
    ]);
  });

  it('the columns of a table do not contain the releases and gates that have them', async () => {
    await using api = await RegistryFixture.open({ release: '1.36' });
    for (const path of [`${batch}/jobs`, '/apis/storage.orch.io/v1/csidrivers'])
      for (const column of (await api.get(path, { accept })).json.columnDefinitions)
        assert.deepEqual(Object.keys(column).toSorted(), [
          'description',
          'format',
          'name',
          'priority',
          'type',
        ]);
  });
});
