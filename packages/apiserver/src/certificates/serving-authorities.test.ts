import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { seededRandom, settle, testEnv } from '@orch/machinery/testing';
import { issueCertificate } from '@orch/pki/x509';
import type { SystemConfigMap } from '@orch/server';
import { ModelStore, prefixRange } from '@orch/storage';
import { ServingAuthorities } from './serving-authorities.ts';

const prefix = '/registry/~internal/serving-authorities/';
const names = namesFor('orch');
const { signal } = new AbortController();
const DAY = 24 * 3_600_000;
const random = seededRandom(21);

/** Servers over one store, and the config map that they publish. */
class Cluster {
  readonly env = testEnv();
  readonly store = new ModelStore({ clock: this.env.clock });
  data: Readonly<Record<string, string>> = {};

  authority(lifeMs = 3650 * DAY): string {
    const now = this.env.clock.now();
    return issueCertificate(
      { commonName: 'ca', use: 'authority', notBefore: now - DAY, notAfter: now + lifeMs },
      random,
    ).cert;
  }

  server(own: string | undefined): ServingAuthorities {
    const registry = {
      keepSystemConfigMap: async ({ name, wanted }: SystemConfigMap) => {
        assert.equal(name, 'orch-serving-authorities');
        this.data = wanted(this.data);
      },
    };
    return new ServingAuthorities({ store: this.store, prefix, own, names, env: this.env, registry });
  }

  /** Publishes an authority as a server does that does nothing else. */
  async record(certificate: string): Promise<void> {
    const key = prefix + createHash('sha256').update(certificate).digest('hex');
    const seenAt = new Date(this.env.clock.now()).toISOString();
    const value = Buffer.from(JSON.stringify({ certificate, seenAt }));
    await this.store.commit({ op: 'create', key, value }, signal);
  }

  get published(): readonly string[] {
    return (this.data['ca.crt'] ?? '').split(/(?<=-----END CERTIFICATE-----\n)/).filter((pem) => pem !== '');
  }

  async stored(): Promise<number> {
    return (await this.store.list(prefixRange(prefix), {}, signal)).count;
  }
}

const sorted = (...pems: readonly string[]): readonly string[] => [...pems].sort();

describe('authorities of serving certificates', () => {
  it('authorities of serving certificates are published together, each once, by all servers', async () => {
    const cluster = new Cluster();
    const [one, two] = [cluster.authority(), cluster.authority()];
    const servers = [
      cluster.server(one),
      cluster.server(two),
      cluster.server(two),
      cluster.server(undefined),
    ];
    for (const server of servers) await server.publish(signal);
    assert.deepEqual(sorted(...cluster.published), sorted(one, two));
    const { data } = cluster;
    const revision = await cluster.store.currentRevision(signal);
    for (const server of servers) {
      await server.publish(signal);
      assert.deepEqual(cluster.data, data);
    }
    assert.equal(await cluster.store.currentRevision(signal), revision);
  });

  it('authorities of serving certificates are not published where operators provide all certificates', async () => {
    const cluster = new Cluster();
    await cluster.server(undefined).publish(signal);
    assert.deepEqual([cluster.data, await cluster.stored()], [{}, 0]);
  });

  it('authorities of serving certificates are removed thirty days after their last server stopped, and added again when it returns', async () => {
    const cluster = new Cluster();
    const [stays, goes] = [cluster.authority(), cluster.authority()];
    const staying = cluster.server(stays);
    await cluster.server(goes).publish(signal);
    for (let passed = 0; passed < 29; passed++) {
      await staying.publish(signal);
      cluster.env.clock.advance(DAY);
    }
    await staying.publish(signal);
    assert.deepEqual(sorted(...cluster.published), sorted(stays, goes));
    cluster.env.clock.advance(DAY);
    await staying.publish(signal);
    assert.deepEqual(cluster.published, [stays]);
    assert.equal(await cluster.stored(), 1);
    await cluster.server(goes).publish(signal);
    assert.deepEqual(sorted(...cluster.published), sorted(stays, goes));
  });

  it('authorities of serving certificates are removed, the oldest first, when a server generates one at each start', async () => {
    const cluster = new Cluster();
    const [stays, old] = [cluster.authority(), cluster.authority()];
    const staying = cluster.server(stays);
    await cluster.server(old).publish(signal);
    for (let start = 0; start < 205; start++) {
      cluster.env.clock.advance(60_000);
      await cluster.record(cluster.authority());
      if (start % 40 > 0) continue;
      await staying.publish(signal);
      assert.ok(cluster.published.includes(stays));
    }
    await staying.publish(signal);
    assert.equal(cluster.published.length, 200);
    assert.equal(await cluster.stored(), 200);
    assert.ok(!cluster.published.includes(old));
  });

  it('authorities of serving certificates are removed when they have expired', async () => {
    const cluster = new Cluster();
    const [short, long] = [cluster.authority(2 * DAY), cluster.authority()];
    await cluster.server(short).publish(signal);
    await cluster.server(long).publish(signal);
    cluster.env.clock.advance(3 * DAY);
    await cluster.server(long).publish(signal);
    assert.deepEqual(cluster.published, [long]);
  });

  for (const [title, value] of [
    ['no JSON', 'rubbish'],
    ['no certificate', JSON.stringify({ certificate: 'rubbish', seenAt: '2024-01-01T00:00:00Z' })],
    ['a certificate without a time', JSON.stringify({ certificate: 'x' })],
  ] as const)
    it(`authorities of serving certificates are not taken from a record with ${title}`, async () => {
      const cluster = new Cluster();
      const own = cluster.authority();
      await cluster.store.commit({ op: 'create', key: `${prefix}other`, value: Buffer.from(value) }, signal);
      await cluster.server(own).publish(signal);
      assert.deepEqual(cluster.published, [own]);
    });

  it('authorities of serving certificates are not taken from a record with the id of another certificate', async () => {
    const cluster = new Cluster();
    const [own, forged] = [cluster.authority(), cluster.authority()];
    const seenAt = new Date(cluster.env.clock.now()).toISOString();
    const value = Buffer.from(JSON.stringify({ certificate: forged, seenAt }));
    await cluster.store.commit({ op: 'create', key: `${prefix}0000`, value }, signal);
    await cluster.server(own).publish(signal);
    assert.deepEqual(cluster.published, [own]);
  });

  it('authorities of serving certificates are restored within a minute after a change of the config map', async () => {
    const cluster = new Cluster();
    const [one, two] = [cluster.authority(), cluster.authority()];
    const stop = new AbortController();
    const first = cluster.server(one);
    await first.publish(signal);
    const running = first.run(stop.signal);
    await cluster.server(two).publish(signal);
    cluster.data = { 'ca.crt': 'forged' };
    await cluster.env.clock.advanceAsync(60_000);
    for (let turn = 0; turn < 5; turn++) await settle();
    assert.deepEqual(sorted(...cluster.published), sorted(one, two));
    stop.abort();
    await running;
    assert.equal(cluster.env.clock.pending, 0);
  });
});
