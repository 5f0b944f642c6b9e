import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namings } from '@orch/machinery';
import { eventually } from '@orch/machinery/testing';
import { commands } from '@orch/orchctl';
import { type DebugOutcome, debugLines, debugOutcome, writeDebugFiles } from './debug-lines.ts';
import { exampleArguments, examplesOf } from './examples.ts';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

/** The behaviour of kubectl 1.33, recorded with its requests to this server. */
const recorded: Readonly<Record<string, DebugOutcome>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'debug-objects.json'), 'utf8'),
);

describe('orchctl debug', () => {
  let cluster: NodeCluster;
  before(async () => {
    cluster = await nodeCluster('kubernetes', () => 1);
    writeDebugFiles(cluster.folder);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of debugLines)
    it(`"${line}" changes and creates the pods that kubectl does`, async () => {
      let err = '';
      const outcome = await debugOutcome(cluster, async () => {
        const result = await cluster.orchctl(line.split(' '));
        err = result.err;
        return result;
      });
      assert.deepEqual(outcome, recorded[line], err);
      assert.doesNotMatch(err, /unexpected failure/);
    });
});

for (const naming of namings)
  describe(`orchctl debug and containers that run, --naming=${naming}`, () => {
    let cluster: NodeCluster;
    before(async () => {
      cluster = await nodeCluster(naming, () => 1);
    });
    after(() => cluster?.[Symbol.asyncDispose]());

    const path = '/api/v1/namespaces/default/pods/one';
    const argv = ['debug', '-i', 'one', '--image=busybox', '-c', 'tools', '--profile=general'];

    /** Reports the state of the container when the command has created it, as the agent of a node does. */
    async function report(state: object): Promise<void> {
      const { client } = cluster.server;
      const hasContainer = async () => (await client.get(path)).text.includes('"tools"');
      await eventually(hasContainer, (has) => has);
      const statuses = [
        { name: 'tools', image: 'busybox', imageID: '', ready: true, restartCount: 0, state },
      ];
      const patch = { status: { phase: 'Running', ephemeralContainerStatuses: statuses } };
      const contentType = 'application/merge-patch+json';
      const { status, text } = await client.send('PATCH', `${path}/status`, { body: patch, contentType });
      assert.equal(status, 200, text);
    }

    it('the command connects to the container as soon as it runs', async () => {
      const running = cluster.orchctl(argv, { input: 'typed in' });
      await report({ waiting: { reason: 'ImagePullBackOff', message: 'no such image' } });
      await report({ running: {} });
      const { status, out, err } = await running;
      assert.equal(status, 0, err);
      assert.match(out, /typed in/);
      assert.match(err, /Warning: container tools: no such image/);
    });

    it('a container that does not run in time ends the command with advice', async () => {
      const waiting = ['debug', '-i', 'two', '--image=busybox', '--pod-running-timeout=100ms'];
      const { status, err } = await cluster.orchctl(waiting);
      assert.equal(status, 1);
      assert.match(err, /timed out waiting for container \S+ of pod two to run/);
    });
  });

describe('examples of orchctl debug', async () => {
  const lines = (await examplesOf(commands)).filter((line) => line.startsWith('orchctl debug '));
  let cluster: NodeCluster;
  before(async () => {
    cluster = await nodeCluster('orch', () => 1);
    writeDebugFiles(cluster.folder);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  for (const line of lines)
    it(`the example "${line}" succeeds`, async () => {
      const { isRefused, pods } = await debugOutcome(cluster, () =>
        // No agent runs containers here, so that there is none to connect to.
        cluster.orchctl(exampleArguments(line.replace(' -it ', ' -it --attach=false '))),
      );
      assert.deepEqual([isRefused, Object.keys(pods).length > 0], [false, true]);
    });
});
