import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { eventKey, eventRevision, type MovableStore, readStoreRecord, storeRecordKey } from '@orch/storage';
import { BackupError } from '../backup-error.ts';
import { PREFIX } from '../testing/migration-server.ts';
import { World } from '../testing/migration-world.ts';
import { abandonMigration } from './abandon-migration.ts';
import { migrateStore } from './migrate-store.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const { signal } = new AbortController();

describe('migrateStore over stores in memory', { timeout: 60_000 }, () => {
  for (const [title, isShared, count] of [
    ['an embedded store with one server', false, 1],
    ['a shared store with three servers', true, 3],
  ] as const)
    it(`migrateStore moves ${title} without a lost or repeated event, and a second one moves it back, seed ${SEED}`, async () => {
      await using world = new World(seededRandom(SEED), isShared);
      const servers = [];
      for (let i = 0; i < count; i++) servers.push(await world.server());
      const [coordinator] = servers;
      assert.ok(coordinator !== undefined);
      await world.writing();
      const options = { source: coordinator.store, prefix: PREFIX, env: world.env };
      const there = await migrateStore({ ...options, target: world.backend('b') }, signal);
      assert.ok(there.pauseMs < 4000);
      await world.writing();
      const key = storeRecordKey(PREFIX);
      assert.equal((await readStoreRecord(world.models.a, key, signal)).record.state, 'moved');
      assert.equal((await readStoreRecord(world.models.b, key, signal)).record.state, 'ready');
      const back = await migrateStore({ ...options, target: world.backend('a') }, signal);
      assert.ok(back.lastRevision > there.nextRevision);
      await world.writing();
      await world.check(servers, coordinator.store);
    });
});

describe('migrateStore with servers that cannot use the target', { timeout: 60_000 }, () => {
  for (const [when, refusedAt] of [
    ['before copying', 1],
    ['after copying', 2],
  ] as const)
    it(`migrateStore is refused ${when}, and no write has waited, seed ${SEED}`, async () => {
      await using world = new World(seededRandom(SEED), true);
      const servers = [await world.server(), await world.server()];
      const [coordinator] = servers;
      assert.ok(coordinator !== undefined);
      await world.writing();
      const key = storeRecordKey(PREFIX);
      const before = await readStoreRecord(world.models.a, key, signal);
      let checks = 0;
      const checkServers = async ({ id }: { readonly id: string }): Promise<void> => {
        const { record } = await readStoreRecord(world.models.b, key, signal);
        assert.deepEqual([record.state, record.migration?.id], ['filling', id]);
        if (++checks === refusedAt) throw new BackupError('refused', 'a server is not ready');
      };
      const options = { source: coordinator.store, prefix: PREFIX, env: world.env };
      const target = world.backend('b');
      await assert.rejects(migrateStore({ ...options, target, checkServers }, signal), /is not ready/);
      await world.writing();
      // Writes wait while the record has another state: it has the same revision as before.
      assert.deepEqual(await readStoreRecord(world.models.a, key, signal), before);
      // Once the server is ready, the migration is started again.
      await migrateStore({ ...options, target: world.backend('b'), checkServers }, signal);
      await world.writing();
      await world.check(servers, coordinator.store);
    });

  it(`migrateStore reports that servers use the target already, under whichever name, seed ${SEED}`, async () => {
    await using world = new World(seededRandom(SEED), true);
    const { store: source } = await world.server();
    await world.writing();
    const options = { source, prefix: PREFIX, env: world.env };
    const refused = { name: 'BackupError', code: 'alreadyThere', message: 'servers already use c' };
    const same = () => ({ ...world.backend('a'), name: 'c' });
    await assert.rejects(migrateStore({ ...options, target: same() }, signal), refused);
    await migrateStore({ ...options, target: world.backend('b') }, signal);
    await world.writing();
    const moved = () => ({ ...world.backend('b'), name: 'c' });
    await assert.rejects(migrateStore({ ...options, target: moved() }, signal), refused);
    await world.writing();
    await world.check(world.servers, source);
  });
});

describe('a server that was stopped while the content was moved', { timeout: 60_000 }, () => {
  /** Moves of the content while the server is stopped. */
  const cases: Readonly<Record<string, (world: World, source: MovableStore) => Promise<unknown>>> = {
    'away and back': async (world, source) => {
      const options = { source, prefix: PREFIX, env: world.env };
      await migrateStore({ ...options, target: world.backend('b') }, signal);
      await world.writing(world.servers.slice(0, 2));
      return migrateStore({ ...options, target: world.backend('a') }, signal);
    },
    'away, and a move back was begun': async (world, source) => {
      const options = { source, prefix: PREFIX, env: world.env };
      await migrateStore({ ...options, target: world.backend('b') }, signal);
      const checkServers = () => Promise.reject(new BackupError('refused', 'the test ends here'));
      const back = { ...options, target: world.backend('a'), checkServers };
      await assert.rejects(migrateStore(back, signal), /ends here/);
    },
    'away, and a move back was undone': async (world, source) => {
      const options = { source, prefix: PREFIX, env: world.env };
      await migrateStore({ ...options, target: world.backend('b') }, signal);
      const checkServers = () => Promise.reject(new BackupError('refused', 'the test ends here'));
      await assert.rejects(migrateStore({ ...options, target: world.backend('a'), checkServers }, signal));
      await abandonMigration({ source, target: world.backend('a'), prefix: PREFIX, id: 'abandoned' }, signal);
    },
  };
  for (const [title, move] of Object.entries(cases))
    it(`${title} stops with a message: it acknowledges no write and yields no event of the other content, seed ${SEED}`, async () => {
      await using world = new World(seededRandom(SEED), true);
      const servers = [await world.server(), await world.server()];
      const stalled = await world.server();
      const [coordinator] = servers;
      assert.ok(coordinator !== undefined);
      await world.writing();
      const resume = stalled.stall();
      // Writes that were acknowledged before arrive at the server afterwards.
      await move(world, coordinator.store);
      await world.writing(servers);
      const { acknowledged } = stalled;
      // Moves are refused while a registered server does not answer, and registrations expire later than this.
      world.clock.advance(1000);
      resume();
      await stalled.ended();
      assert.match(String(stalled.failure), /was moved or replaced|was deleted/);
      assert.ok(stalled.acknowledged <= acknowledged + 1);
      await assert.rejects(stalled.store.currentRevision(signal), /was moved or replaced|was deleted/);
      await world.check(servers, coordinator.store);
      const known = new Set(servers[0]?.events.map((event) => eventRevision(event)));
      for (const event of stalled.events) assert.ok(known.has(eventRevision(event)), eventKey(event));
    });
});

describe('two migrations at the same time', { timeout: 60_000 }, () => {
  it(`migrations complete at most once, whichever servers run them, and lose nothing, seed ${SEED}`, async () => {
    const random = seededRandom(SEED);
    for (let run = 0; run < 8; run++) {
      await using world = new World(random, true);
      const servers = [await world.server(), await world.server()];
      await world.writing();
      const migrations = servers.map(async ({ store }, n) => {
        for (let ticks = random.int(300) * n; ticks > 0; ticks--)
          await new Promise((resolve) => setImmediate(resolve));
        const target = world.backend('b');
        await migrateStore({ source: store, target, prefix: PREFIX, env: world.env }, signal).catch(() =>
          target.store.close(),
        );
      });
      await Promise.all(migrations);
      await world.writing();
      await world.check(servers, servers[0]?.store ?? assert.fail());
    }
  });
});

/** The way in which a migration is interrupted at one of its calls. */
type Cut =
  | 'the command is stopped'
  | 'the target cannot be reached'
  | 'the server of the migration is killed';

/** A migration that is cut off at its call number `at`; how many calls it has made. */
async function cutOff(
  world: World,
  { isShared, cut, at }: { readonly isShared: boolean; readonly cut: Cut; readonly at: number },
): Promise<number> {
  let calls = 0;
  let onCut: () => void = () => undefined;
  const counted = (): void => {
    if (isMigrating && calls++ === at) onCut();
  };
  let isMigrating = false;
  const coordinator = await world.server({ onCall: counted });
  const others = isShared ? [await world.server(), await world.server()] : [];
  await world.writing();
  const stop = new AbortController();
  const target = world.backend('b', counted);
  onCut = () => {
    if (cut === 'the command is stopped') stop.abort();
    else if (cut === 'the target cannot be reached') {
      target.store.cut();
      world.clock.schedule(5000, () => target.store.heal());
    } else {
      coordinator.kill();
      target.store.cut();
      stop.abort();
    }
  };
  isMigrating = true;
  const options = { source: coordinator.store, prefix: PREFIX, env: world.env };
  await migrateStore({ ...options, target }, stop.signal).catch(() => target.store.close());
  isMigrating = false;
  const isKilled = cut === 'the server of the migration is killed' && calls > at;
  if (isKilled && !isShared) others.push(await world.server({ after: coordinator }));
  const servers = isKilled ? others : [coordinator, ...others];
  await world.writing(servers);
  const [next] = servers;
  assert.ok(next !== undefined);
  if (next.store.place.backend.name === 'a') {
    if (world.random.int(2) === 0) {
      const abandoned = { source: next.store, target: world.backend('b'), prefix: PREFIX, id: 'abandoned' };
      await abandonMigration(abandoned, signal).catch((error: unknown) => {
        assert.match(String(error), /no migration to b is in progress/);
      });
      await world.writing(servers);
    }
    const again = { ...options, source: next.store, target: world.backend('b') };
    await migrateStore(again, signal);
    await world.writing(servers);
  }
  const key = storeRecordKey(PREFIX);
  assert.equal((await readStoreRecord(world.models.a, key, signal)).record.state, 'moved');
  assert.equal((await readStoreRecord(world.models.b, key, signal)).record.state, 'ready');
  await world.check(servers, next.store);
  return calls;
}

describe('migrateStore that is cut off at any call', { timeout: 120_000 }, () => {
  const runs = Number(process.env['RUNS'] ?? 7);
  const cuts = [
    'the command is stopped',
    'the target cannot be reached',
    'the server of the migration is killed',
  ] as const;
  for (const isShared of [false, true])
    for (const cut of cuts)
      it(`when ${cut}, ${isShared ? 'servers that share the source' : 'the server of an embedded source'} continue without loss, and it is begun again or abandoned, seed ${SEED}`, async () => {
        const random = seededRandom(SEED);
        let calls = 1000;
        for (let run = 0; run < runs; run++) {
          // The last calls of a migration happen in its pause: half of the cuts are there.
          const at =
            run === 0 ? calls : Math.max(0, run % 2 === 0 ? random.int(calls) : calls - random.int(60));
          await using world = new World(random, isShared);
          const made = await cutOff(world, { isShared, cut, at });
          if (run === 0) calls = made;
        }
      });
});
