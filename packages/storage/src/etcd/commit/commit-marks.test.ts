import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { poll } from '@orch/machinery/testing';
import { prefixRange, type Store } from '../../index.ts';
import { type EtcdCluster, startEtcd } from '../../testing/index.ts';
import { openEtcdStore } from '../index.ts';

const env = { clock: systemClock, random: systemRandom, log: silentLogger };
const { signal } = new AbortController();

describe('commit marks', () => {
  let cluster: EtcdCluster;
  let tests = 0;

  before(async () => {
    cluster = await startEtcd();
  });
  after(() => cluster[Symbol.asyncDispose]());

  /** A store with its marks, and another store that reads them. */
  async function open(marksPrefix = `/marks-${tests++}/`) {
    const store = await openEtcdStore({ endpoints: cluster.endpoints, env, marksPrefix });
    const marks = async () => {
      const { items } = await store.list(prefixRange(marksPrefix), {}, signal);
      return items.map(({ key }) => key.slice(marksPrefix.length));
    };
    return { store, marks, marksPrefix, [Symbol.asyncDispose]: () => store.close() };
  }

  const create = (store: Store, name: string) =>
    store.commit({ op: 'create', key: `/registry/${tests}/${name}`, value: Buffer.from(name) }, signal);

  /** Revokes all leases, as when they expire after their servers have stopped. */
  async function revokeLeases(): Promise<void> {
    const member = cluster.members[0];
    const reply = await member?.http('POST', '/v3/lease/leases', {});
    for (const { ID } of (JSON.parse(reply?.body ?? '{}') as { leases: { ID: string }[] }).leases) {
      await member?.http('POST', '/v3/lease/revoke', { ID });
    }
  }

  it('commit marks exist once for each concurrent commit, with one owner key', async () => {
    await using opened = await open();
    for (let i = 0; i < 100; i++) assert.ok((await create(opened.store, `a${i}`)).ok);
    assert.equal((await opened.marks()).length, 2);
    for (const round of ['b', 'c']) {
      await Promise.all(Array.from({ length: 40 }, (_, i) => create(opened.store, `${round}${i}`)));
      assert.equal((await opened.marks()).length, 41);
    }
  });

  it('commit marks are written in the revision of the commit, without another revision or event', async () => {
    await using opened = await open();
    await create(opened.store, 'a');
    const before = await opened.store.currentRevision(signal);
    assert.deepEqual(await create(opened.store, 'b'), { ok: true, rev: before + 1 });
    assert.equal(await opened.store.currentRevision(signal), before + 1);
  });

  it('commit marks of a server whose lease has expired are deleted when another server starts to write', async () => {
    await using gone = await open();
    await create(gone.store, 'a');
    const [left] = await gone.marks();
    await revokeLeases();
    await using other = await open(gone.marksPrefix);
    await create(other.store, 'b');
    await poll('the marks are deleted', 5000, async () =>
      (await other.marks()).every((key) => left !== undefined && !key.startsWith(left)) ? true : undefined,
    );
    assert.equal((await other.marks()).length, 2);
  });

  it('commit marks may be deleted while their server writes: it creates others, and no commit fails', async () => {
    await using opened = await open();
    await using other = await open(opened.marksPrefix);
    await Promise.all(Array.from({ length: 8 }, (_, i) => create(opened.store, `a${i}`)));
    await revokeLeases();
    await create(other.store, 'other');
    await poll('the marks are deleted', 5000, async () =>
      (await other.marks()).length === 2 ? true : undefined,
    );
    const commits = Array.from({ length: 8 }, (_, i) => create(opened.store, `b${i}`));
    assert.ok((await Promise.all(commits)).every(({ ok }) => ok));
  });
});
