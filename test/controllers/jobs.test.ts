import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { expectCode } from '../api/fixture.ts';
import { type Controlled, controlled } from './roles-fixture.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const merge = { contentType: 'application/merge-patch+json' };

interface Job {
  readonly metadata: {
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
  readonly spec: { readonly ttlSecondsAfterFinished?: number };
  readonly status?: { readonly completionTime?: string };
}

for (const naming of namings) {
  describe(`finished jobs, ${naming}`, { timeout: 180_000 }, () => {
    let cluster: Controlled;
    const create = async (name: string, ttlSecondsAfterFinished?: number): Promise<void> => {
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
      const spec = {
        template,
        ...(ttlSecondsAfterFinished === undefined ? {} : { ttlSecondsAfterFinished }),
      };
      expectCode(
        201,
        await cluster.client.post(jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec }),
      );
    };
    const finish = async (name: string, secondsAgo: number, type = 'Complete'): Promise<void> => {
      const time = new Date(Date.now() - secondsAgo * 1000).toISOString().replace(/\.\d+/, '');
      const condition = { type, status: 'True', lastTransitionTime: time, lastProbeTime: time };
      const status = {
        startTime: time,
        ...(type === 'Complete' ? { completionTime: time } : {}),
        conditions: [condition],
      };
      expectCode(
        200,
        await cluster.client.send('PATCH', `${jobs}/${name}/status`, { ...merge, body: { status } }),
      );
    };
    const patch = async (name: string, body: object): Promise<void> =>
      void expectCode(200, await cluster.client.send('PATCH', `${jobs}/${name}`, { ...merge, body }));
    const job = async (name: string): Promise<Job | undefined> => {
      const { status, json } = await cluster.client.get(`${jobs}/${name}`);
      return status === 404 ? undefined : (json as Job);
    };
    const isEnding = (seen: Job | undefined): boolean =>
      seen === undefined || seen.metadata.deletionTimestamp !== undefined;

    before(async () => {
      cluster = await controlled({ naming });
      await cluster.run('ttl-after-finished');
    });
    after(() => cluster[Symbol.asyncDispose]());

    it('finished jobs are deleted in the foreground when their time to live has passed', async () => {
      for (const [name, ttl] of [
        ['over', 100],
        ['failed', 0],
        ['running', 0],
        ['forever', undefined],
        ['later', 1000],
      ] as const) {
        await create(name, ttl);
      }
      await finish('over', 200);
      await finish('failed', 1, 'Failed');
      await finish('forever', 2000);
      await finish('later', 200);
      for (const name of ['over', 'failed']) {
        const ending = await eventually(() => job(name), isEnding);
        assert.deepEqual(ending?.metadata.finalizers, ['foregroundDeletion'], name);
      }
      for (const name of ['running', 'forever', 'later']) assert.ok(!isEnding(await job(name)), name);
    });

    it('a finished job is deleted after its time to live, and not before', async () => {
      await create('soon', 2);
      await finish('soon', 0);
      const ended = await eventually(() => job('soon'), isEnding);
      const [from, to] = [ended?.status?.completionTime, ended?.metadata.deletionTimestamp];
      const lived = Date.parse(String(to)) - Date.parse(String(from));
      assert.ok(lived >= 2000, `${lived} ms`);
    });

    /** Makes jobs that finish, and changes their times to live before the first have passed: on a slow machine, of longer ones. */
    const changedInTime = async (ttl = 3): Promise<{ more: string; all: string; witness: string }> => {
      const names = { more: `more-${ttl}`, all: `all-${ttl}`, witness: `witness-${ttl}` };
      await create(names.more, ttl);
      await create(names.all, ttl);
      await create(names.witness, ttl + 1);
      for (const name of Object.values(names)) await finish(name, 0);
      await patch(names.more, { spec: { ttlSecondsAfterFinished: 1000 } });
      await patch(names.all, { spec: { ttlSecondsAfterFinished: null } });
      const seen = await Promise.all([job(names.more), job(names.all)]);
      return seen.some(isEnding) && ttl < 100 ? changedInTime(ttl * 3) : names;
    };

    it('a finished job is kept when its time to live is extended or removed in time', async () => {
      const { more, all, witness } = await changedInTime();
      await eventually(() => job(witness), isEnding, 60_000);
      for (const name of [more, all]) assert.ok(!isEnding(await job(name)), name);
      await patch(more, { spec: { ttlSecondsAfterFinished: 0 } });
      await eventually(() => job(more), isEnding);
    });
  });
}
