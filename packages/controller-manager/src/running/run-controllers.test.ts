import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, type Transport, TransportError } from '@orch/client';
import type { ControllerDescriptor } from '@orch/controllers';
import { usualOptions } from '@orch/controllers/testing';
import { namesFor } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { testEnv } from '@orch/machinery/testing';
import type { ControllerClients } from '../identities/controller-clients.ts';
import { fixedContent } from '../settings/key-files.ts';
import { ControllerStates } from './controller-states.ts';
import { type RunningParts, runControllers } from './run-controllers.ts';

const away: Transport = {
  send: async () => {
    throw new TransportError('notSent', 'no server is there');
  },
  reset: () => undefined,
  close: async () => undefined,
};

const options = { ...usualOptions, rootCa: fixedContent('test', '') };

function fixture(useAccounts: boolean, ...selected: readonly ControllerDescriptor[]) {
  const env = testEnv();
  const asked: string[] = [];
  const own = createClient({ transport: away, names: namesFor('orch'), env, userAgent: 'own' });
  const clients: ControllerClients = {
    own,
    of(account) {
      asked.push(account);
      return createClient({ transport: away, names: namesFor('orch'), env, userAgent: account });
    },
    async [Symbol.asyncDispose]() {},
  };
  const states = new ControllerStates(selected.map(({ name }) => name));
  const parts: RunningParts = { env, clients, selected, useAccounts, options, states, mayWork: () => true };
  const stop = new AbortController();
  return { env, asked, states, stop, run: () => runControllers(parts, stop.signal) };
}

const until = (name: string, run: (signal: AbortSignal) => Promise<void>): ControllerDescriptor => ({
  name,
  serviceAccount: `${name}-account`,
  onByDefault: true,
  build: () => [{ name, run }],
});

const settle = (): Promise<void> => new Promise(setImmediate);

describe('running the selected controllers', () => {
  it('controllers end with the signal, and the run ends when all their work has ended', async () => {
    const ended: string[] = [];
    const slow = until('slow', async (signal) => {
      await aborted(signal);
      await settle();
      ended.push('slow');
    });
    const { run, stop, states } = fixture(false, slow);
    const running = run();
    await settle();
    assert.equal(states.of('slow').is, 'working');
    stop.abort(new Error('enough'));
    await running;
    assert.deepEqual(ended, ['slow']);
    assert.equal(states.of('slow').is, 'waiting');
  });

  it('a controller that fails, ends unexpectedly or cannot be built ends the others and rejects the run', async () => {
    const broken: readonly [ControllerDescriptor, RegExp][] = [
      [until('broken', async () => Promise.reject(new Error('no disk'))), /broken cannot continue: no disk/],
      [until('broken', async () => undefined), /broken cannot continue: it ended unexpectedly/],
      [
        {
          name: 'broken',
          onByDefault: true,
          build() {
            throw new Error('no plan');
          },
        },
        /broken cannot continue: no plan/,
      ],
    ];
    for (const [descriptor, message] of broken) {
      let isEnded = false;
      const other = until('other', async (signal) => {
        await aborted(signal);
        isEnded = true;
      });
      const { run, states } = fixture(false, other, descriptor);
      await assert.rejects(run(), message);
      assert.equal(isEnded, true);
      assert.equal(states.of('broken').is, 'failed');
      const check = states.checks().find(({ name }) => name === 'broken');
      assert.equal((await check?.run(new AbortController().signal))?.ok, false);
    }
  });

  it('a disabled controller does not run, and the log has the reason', async () => {
    const idle: ControllerDescriptor = { name: 'idle', onByDefault: true, build: () => 'there is no key' };
    const { run, stop, states, env } = fixture(false, idle);
    const running = run();
    await settle();
    assert.deepEqual(states.of('idle'), { is: 'idle', why: 'there is no key' });
    assert.ok(env.entries.some((entry) => entry['why'] === 'there is no key'));
    stop.abort(new Error('enough'));
    await running;
  });

  for (const useAccounts of [true, false]) {
    it(`all controllers use ${useAccounts ? 'the clients of their service accounts' : 'the client of the manager'}`, async () => {
      const own: ControllerDescriptor = {
        name: 'without',
        onByDefault: true,
        build: () => [{ name: 'without', run: aborted }],
      };
      const { run, stop, asked } = fixture(useAccounts, until('with', aborted), own);
      const running = run();
      await settle();
      stop.abort(new Error('enough'));
      await running;
      assert.deepEqual(asked, useAccounts ? ['with-account'] : []);
    });
  }

  it('the check informer-sync names controllers that have not synced', async () => {
    const starting: ControllerDescriptor = {
      name: 'starting',
      onByDefault: true,
      build: () => [
        {
          name: 'starting',
          sources: [{ run: (_add, signal) => aborted(signal), synced: (signal) => aborted(signal) }],
          reconcile: async () => ({}),
        },
      ],
    };
    const { run, stop, states } = fixture(false, starting);
    const running = run();
    await settle();
    assert.deepEqual(states.starting(), ['starting']);
    const sync = states.checks().find(({ name }) => name === 'informer-sync');
    assert.deepEqual(await sync?.run(new AbortController().signal), {
      ok: false,
      reason: 'not synced: starting',
    });
    stop.abort(new Error('enough'));
    await running;
  });
});
