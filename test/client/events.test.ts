import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  builtinResources,
  createClient,
  createInformer,
  eventRecorder,
  networkTransport,
} from '@orch/client';
import { namesFor } from '@orch/machinery';
import { abortable } from '@orch/machinery/concurrency';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { launchServer, representativeKubectls, run } from '@orch/testkit';
import { adminSettings } from './connection.ts';

const kubectls = await representativeKubectls(join(import.meta.dirname, '..', '..'));

describe('events of the event recorder', { timeout: 120_000 }, () => {
  it('kubectl describe shows a recorded event with its object, count and source component', async (t) => {
    if (kubectls.length === 0) {
      t.skip('there is no kubectl on this machine');
      return;
    }
    await using server = await launchServer({ naming: 'kubernetes' });
    const env = systemEnv({ log: silentLogger });
    const transport = networkTransport(adminSettings(server), env);
    const client = createClient({
      transport,
      names: namesFor('kubernetes'),
      env,
      userAgent: 'events-test/1',
    });
    const { serviceaccounts, events } = builtinResources(client.names).core.v1;
    const account = await client.resource(serviceaccounts, 'default').create({ metadata: { name: 'web' } });
    const stop = new AbortController();
    const recorder = eventRecorder({ client, env, component: 'tester', host: 'here' });
    const informer = createInformer({ client, env }, events, { namespace: 'default' });
    const isCounted = Promise.withResolvers<void>();
    informer.subscribe(({ object }) => {
      if (object.count === 3) isCounted.resolve();
    });
    const runs = [recorder.run(stop.signal), informer.run(stop.signal)];
    const note = { type: 'Warning', reason: 'FellOver', message: 'it fell over' } as const;
    for (let i = 0; i < 3; i++) recorder.record(account, note);
    await abortable(isCounted.promise, AbortSignal.timeout(30_000));
    for (const { path, release } of kubectls) {
      const args = [
        '--kubeconfig',
        server.adminConfig,
        '--server',
        server.url,
        'describe',
        'serviceaccount',
        'web',
      ];
      const { stdout, stderr } = await run(path, args);
      assert.match(
        stdout,
        /Warning\s+FellOver\s+.*\(x3 over .*\)\s+tester.*\s+it fell over/,
        `${release}: ${stdout}${stderr}`,
      );
    }
    stop.abort(new Error('the test is over'));
    await Promise.all(runs);
    await transport.close();
  });
});
