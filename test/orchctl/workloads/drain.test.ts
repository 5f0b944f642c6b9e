import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { deferred } from '@orch/machinery/concurrency';
import { FakeClock } from '@orch/machinery/testing';
import type { CommandResult } from '@orch/orchctl/testing';
import { type CommandCluster, commandCluster } from '../cluster.ts';

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const pods = '/api/v1/namespaces/default/pods';

for (const naming of namings)
  describe(`orchctl drain and disruption budgets, --naming=${naming}`, () => {
    let cluster: CommandCluster;
    before(async () => {
      cluster = await commandCluster(naming);
      await post('/api/v1/nodes', { metadata: { name: 'n' } });
      await post(budgets, {
        metadata: { name: 'web' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
      });
    });
    after(() => cluster[Symbol.asyncDispose]());

    async function post(path: string, body: object): Promise<void> {
      const { status, text } = await cluster.server.client.post(path, body);
      assert.equal(status, 201, text);
    }

    /** A ready pod of the budget on the node. */
    async function createPod(name: string): Promise<void> {
      const metadata = { name, labels: { app: 'web' } };
      const spec = {
        nodeName: 'n',
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'x' }],
      };
      await post(pods, { metadata, spec });
      const created = (await cluster.server.client.get(`${pods}/${name}`)).json as { spec: object };
      const conditions = [{ type: 'Ready', status: 'True' }];
      const ready = { metadata, spec: created.spec, status: { phase: 'Running', conditions } };
      const { status, text } = await cluster.server.client.put(`${pods}/${name}/status`, ready);
      assert.equal(status, 200, text);
    }

    /** Number of disruptions that the budget permits, as its controller writes it. */
    async function permit(disruptionsAllowed: number): Promise<void> {
      const read = await cluster.server.client.get(`${budgets}/web`);
      const budget = read.json as { metadata: { generation: number } };
      const status = {
        ...{ disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
        observedGeneration: budget.metadata.generation,
      };
      const written = await cluster.server.client.put(`${budgets}/web/status`, { ...budget, status });
      assert.equal(written.status, 200, written.text);
    }

    interface Drain {
      readonly clock: FakeClock;
      readonly result: Promise<CommandResult>;
      /** Resolves when this many evictions were refused. */
      refused(count: number): Promise<void>;
    }

    function drain(...flags: string[]): Drain {
      const clock = new FakeClock();
      let [seen, next] = [0, deferred<void>()];
      const result = cluster.orchctl(['drain', 'n', '--force', ...flags], {
        clock,
        onErrorOutput(text) {
          seen = text.split('will retry after 5s').length - 1;
          next.resolve();
          next = deferred<void>();
        },
      });
      const ended = result.then(({ err }) => Promise.reject(new Error(`the drain ended: ${err}`)));
      ended.catch(() => {});
      return {
        ...{ clock, result },
        async refused(count) {
          while (seen < count) await Promise.race([next.promise, ended]);
          // The retry is scheduled after the report.
          await new Promise(setImmediate);
        },
      };
    }

    it('an eviction that a budget refuses is repeated every five seconds until it is accepted', async () => {
      await createPod('one');
      await permit(0);
      const { clock, result, refused } = drain();
      await refused(1);
      clock.advance(4_999);
      clock.advance(1);
      await refused(2);
      await permit(1);
      clock.advance(5_000);
      const { status, out, err } = await result;
      assert.equal(status, 0, err);
      assert.equal(out.match(/^evicting pod default\/one$/gm)?.length, 3, out);
      assert.match(out, /^pod\/one evicted\nnode\/n drained\n$/m);
      assert.equal((await cluster.server.client.get(`${pods}/one`)).status, 404);
    });

    it('--timeout ends the repetition, and the pod stays', async () => {
      await createPod('two');
      await permit(0);
      const { clock, result, refused } = drain('--timeout=12s');
      await refused(1);
      clock.advance(5_000);
      await refused(2);
      clock.advance(7_000);
      const { status, out, err } = await result;
      assert.equal(status, 1, out);
      assert.match(err, /unable to drain node "n" due to error: global timeout reached: 12s/);
      assert.match(err, /There are pending nodes to be drained:\n n\n/);
      assert.equal((await cluster.server.client.get(`${pods}/two`)).status, 200);
    });

    it('a pod that is replaced between two attempts counts as evicted, and the new one stays', async () => {
      const { clock, result, refused } = drain('--disable-eviction=false');
      await refused(1);
      const { status: deleted } = await cluster.server.client.delete(`${pods}/two`);
      assert.equal(deleted, 200);
      await createPod('two');
      await permit(1);
      clock.advance(5_000);
      const { status, out, err } = await result;
      assert.deepEqual([status, out.includes('pod/two evicted')], [0, true], err);
      assert.equal((await cluster.server.client.get(`${pods}/two`)).status, 200);
    });
  });
