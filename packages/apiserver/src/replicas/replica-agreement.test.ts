import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '@orch/machinery/env';
import { settle, testEnv } from '@orch/machinery/testing';
import { StartError } from '@orch/program';
import { ModelStore, prefixRange } from '@orch/storage';
import { RECORD_TTL_SECONDS, ReplicaAgreement, type UsedStore } from './replica-agreement.ts';
import { ReplicaRecords } from './replica-records.ts';
import type { ReplicaSettings } from './replica-settings.ts';

const prefix = '/registry/~internal/replicas/';
const { signal } = new AbortController();
const shared: ReplicaSettings = {
  'client-ca-file': 'a',
  'tls-cert-file': 'given',
  'emulated-version': '1.24',
};

class Cluster {
  readonly env = testEnv();
  readonly store = new ModelStore({ clock: this.env.clock });
  readonly #used: UsedStore = { isShared: true, left: new AbortController().signal };
  #count = 0;

  replica(settings: () => ReplicaSettings, permitsSeparate = false, used = () => this.#used) {
    const id = `replica-${this.#count++}`;
    const metrics = createMetrics();
    const records = new ReplicaRecords({ store: this.store, prefix, id, ttlSeconds: RECORD_TTL_SECONDS });
    const env = { ...this.env, metrics };
    return {
      agreement: new ReplicaAgreement({
        used,
        records,
        id,
        address: `${id}:6443`,
        settings,
        permitsSeparate,
        env,
      }),
      async differences(flag: string): Promise<string | undefined> {
        const text = await metrics.text();
        return new RegExp(`apiserver_replica_setting_differences\\{flag="${flag}"\\} (\\d+)`).exec(text)?.[1];
      },
    };
  }

  async recorded(): Promise<number> {
    const { items } = await this.store.list(prefixRange(prefix), {}, signal);
    return items.length;
  }

  async pass(ms: number): Promise<void> {
    await settle();
    this.env.clock.advance(ms);
    await settle();
  }
}

describe('agreement of replicas', () => {
  for (const [flag, advice] of [
    ['client-ca-file', '--client-ca-file'],
    ['tls-cert-file', '--tls-cert-file and --tls-private-key-file'],
  ] as const) {
    for (const other of ['generated 2', 'given'])
      it(`a replica with a generated ${flag} does not start beside one with the value "${other}", and the error names what to do`, async () => {
        const cluster = new Cluster();
        await cluster.replica(() => ({ ...shared, [flag]: other })).agreement.join(signal);
        const { agreement } = cluster.replica(() => ({ ...shared, [flag]: 'generated 1' }));
        await assert.rejects(
          () => agreement.join(signal),
          (error) =>
            error instanceof StartError &&
            /the replica at replica-0:6443 uses another one/.test(error.message) &&
            error.message.includes(`orch init`) &&
            error.message.includes(advice),
        );
      });

    it(`a replica with the same generated ${flag} as another one starts, and one with another when that is permitted`, async () => {
      const cluster = new Cluster();
      const settings = { ...shared, [flag]: 'generated 1' };
      await cluster.replica(() => settings).agreement.join(signal);
      await cluster.replica(() => settings).agreement.join(signal);
      await cluster.replica(() => ({ ...shared, [flag]: 'generated 2' }), true).agreement.join(signal);
    });
  }

  it('the first of several replicas that start at the same time with generated authorities continues', async () => {
    const cluster = new Cluster();
    const joined = await Promise.allSettled(
      ['1', '2', '3'].map((each) =>
        cluster.replica(() => ({ ...shared, 'client-ca-file': `generated ${each}` })).agreement.join(signal),
      ),
    );
    assert.equal(joined.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('a replica that was killed is forgotten after its ttl, one that leaves at once', async () => {
    const cluster = new Cluster();
    await cluster.replica(() => shared).agreement.join(signal);
    const leaving = cluster.replica(() => shared).agreement;
    await leaving.join(signal);
    assert.equal(await cluster.recorded(), 2);
    await leaving.leave();
    assert.equal(await cluster.recorded(), 1);
    await cluster.pass(RECORD_TTL_SECONDS * 1000 + 1);
    assert.equal(await cluster.recorded(), 0);
  });

  it('another difference is reported by a metric and one log line while it lasts, and the end of it by another', async () => {
    const cluster = new Cluster();
    let version = '1.24';
    await cluster.replica(() => shared).agreement.join(signal);
    const { agreement, differences } = cluster.replica(() => ({ ...shared, 'emulated-version': version }));
    await agreement.join(signal);
    assert.equal(await differences('emulated-version'), '0');
    const stop = new AbortController();
    const running = agreement.run(stop.signal);
    version = '1.25';
    for (let round = 0; round < 2; round += 1) await cluster.pass(10_000);
    assert.equal(await differences('emulated-version'), '1');
    assert.equal(await differences('client-ca-file'), '0');
    version = '1.24';
    await cluster.pass(10_000);
    assert.equal(await differences('emulated-version'), '0');
    const logged = cluster.env.entries.map(({ msg, flag, replicas }) => [msg, flag, replicas]);
    assert.deepEqual(logged, [
      [
        'other replicas have another setting, which must be the same for all',
        'emulated-version',
        'replica-0:6443',
      ],
      ['all replicas have the same setting again', 'emulated-version', undefined],
    ]);
    stop.abort();
    await running.catch(() => undefined);
  });

  it('a server whose embedded store is moved to a shared one records itself at once, and replicas with another generated authority do not start', async () => {
    const cluster = new Cluster();
    const generated = (by: string) => () => ({ ...shared, 'client-ca-file': `generated ${by}` });
    const left = new AbortController();
    let used: UsedStore = { isShared: false, left: left.signal };
    const { agreement } = cluster.replica(generated('1'), false, () => used);
    await agreement.join(signal);
    const stop = new AbortController();
    const running = agreement.run(stop.signal);
    await cluster.pass(30_000);
    assert.equal(await cluster.recorded(), 0, 'the only server of an embedded store needs no record');
    used = { isShared: true, left: new AbortController().signal };
    left.abort();
    await settle();
    assert.equal(await cluster.recorded(), 1);
    await assert.rejects(cluster.replica(generated('2')).agreement.join(signal), StartError);
    stop.abort();
    await running.catch(() => undefined);
  });
});
