import assert from 'node:assert/strict';
import { type Committed, MAX_GUARDS, type Revision, type Write } from '../store.ts';
import { eventKey } from '../store-values.ts';
import { type Case, type Fixture, lost } from './fixture.ts';

/** A guard key, and the key of a write; `write` expects the state of that key. */
interface Scene {
  readonly guard: Revision;
  readonly write: Write;
  /** The key's value, `undefined` when it is absent. */
  readonly before: string | undefined;
}

async function scene(f: Fixture, op: Write['op']): Promise<Scene> {
  const guard = await f.create('guard');
  const key = f.key('a');
  const value = Buffer.from('new');
  if (op === 'create') return { guard, write: { op, key, value }, before: undefined };
  const expected = await f.create('a', 'old');
  return {
    guard,
    write: op === 'update' ? { op, key, value, expected } : { op, key, expected },
    before: 'old',
  };
}

const guarded = (f: Fixture, write: Write, revision: Revision): Promise<Committed> =>
  f.store.commit({ ...write, guards: [{ key: f.key('guard'), revision }] }, f.signal);

const textAt = async (f: Fixture, name: string): Promise<string | undefined> =>
  (await f.get(name))?.value.toString();

function assertGuardFailed(result: Committed): void {
  assert.ok(!result.ok, 'the commit should have failed by its guard');
  assert.equal(result.guardFailed, true);
  assert.equal(result.current, undefined);
  assert.ok(Number.isSafeInteger(result.rev) && result.rev > 0);
}

/** Stores may report which guards held: then all that did. */
function assertHeld(result: Committed, guards: Readonly<Record<string, boolean>>): void {
  assert.ok(!result.ok);
  const { heldGuards } = result;
  if (heldGuards === undefined) return;
  for (const [key, isHeld] of Object.entries(guards)) assert.equal(heldGuards.includes(key), isHeld, key);
}

const operations = ['create', 'update', 'delete'] as const;

/** Changes of the guard's key before the write. */
const changes: Readonly<Record<string, (f: Fixture, guard: Revision) => Promise<unknown>>> = {
  'was written since': (f, guard) => f.update('guard', guard, 'renewed'),
  'was deleted': (f, guard) => f.delete('guard', guard),
  'was deleted and created again': async (f, guard) => {
    await f.delete('guard', guard);
    await f.create('guard');
  },
};

const holdingCases: readonly Case[] = operations.map((op) => [
  `a guarded ${op} takes effect while its guard holds, and leaves the guard's key unchanged`,
  async (f) => {
    const { guard, write } = await scene(f, op);
    const result = await guarded(f, write, guard);
    assert.ok(result.ok);
    assert.equal(await textAt(f, 'a'), op === 'delete' ? undefined : 'new');
    assert.equal((await f.get('guard'))?.modRevision, guard);
  },
]);

const failingCases: readonly Case[] = operations.flatMap((op) =>
  Object.entries(changes).map(
    ([title, change]): Case => [
      `a guarded ${op} has no effect and reports the guard when the guard's key ${title}`,
      async (f) => {
        const { guard, write, before } = await scene(f, op);
        await change(f, guard);
        await using watch = f.watch(await f.revision());
        assertGuardFailed(await guarded(f, write, guard));
        assert.equal(await textAt(f, 'a'), before);
        // The next event is this one: the failed write caused none.
        await f.create('mark');
        assert.deepEqual((await watch.received(1)).map(eventKey), [f.key('mark')]);
      },
    ],
  ),
);

export const guardCases: readonly Case[] = [
  ...holdingCases,
  ...failingCases,
  [
    'a conflict is reported as one, whether the guard holds or not',
    async (f) => {
      const guard = await f.create('guard');
      const rev = await f.create('a', 'taken');
      const write = { op: 'create', key: f.key('a'), value: Buffer.from('x') } as const;
      const stale = { op: 'update', key: f.key('a'), value: Buffer.from('x'), expected: guard } as const;
      for (const revision of [guard, guard + 1]) {
        for (const each of [write, stale]) {
          const result = await guarded(f, each, revision);
          assert.equal(lost(result)?.modRevision, rev);
          assert.equal('guardFailed' in result, false);
          assertHeld(result, { [f.key('guard')]: revision === guard });
        }
      }
    },
  ],
  [
    'a write of an absent key reports its conflict before a failed guard',
    async (f) => {
      const guard = await f.create('guard');
      const result = await guarded(f, { op: 'delete', key: f.key('a'), expected: guard }, guard + 1);
      assert.equal(lost(result), undefined);
      assert.equal('guardFailed' in result, false);
    },
  ],
  [
    'a write may be guarded by the key that it writes',
    async (f) => {
      const guard = await f.create('guard', 'one');
      const key = f.key('guard');
      const update = { op: 'update', key, value: Buffer.from('two'), expected: guard } as const;
      const updated = await guarded(f, update, guard);
      assert.ok(updated.ok);
      assertGuardFailed(await guarded(f, { op: 'delete', key, expected: updated.rev }, guard));
      assert.ok((await guarded(f, { op: 'delete', key, expected: updated.rev }, updated.rev)).ok);
    },
  ],
  [
    `a write with more than ${MAX_GUARDS} guards is refused, and one with an empty list is not guarded`,
    async (f) => {
      const guard = { key: f.key('guard'), revision: await f.create('guard') };
      const write = { op: 'create', key: f.key('a'), value: Buffer.from('x') } as const;
      const guards = Array.from({ length: MAX_GUARDS + 1 }, () => guard);
      await assert.rejects(f.store.commit({ ...write, guards }, f.signal), RangeError);
      assert.equal(await f.get('a'), undefined);
      assert.ok((await f.store.commit({ ...write, guards: [] }, f.signal)).ok);
    },
  ],
  [
    'a write with two guards takes effect only while both hold',
    async (f) => {
      const first = await f.create('guard');
      const second = await f.create('other');
      const write = (name: string, at: Revision, otherAt: Revision): Promise<Committed> =>
        f.store.commit(
          {
            op: 'create',
            key: f.key(name),
            value: Buffer.from('x'),
            guards: [
              { key: f.key('guard'), revision: at },
              { key: f.key('other'), revision: otherAt },
            ],
          },
          f.signal,
        );
      const [isFirst, isSecond] = [
        await write('a', first, second + 1000),
        await write('a', first + 1000, second),
      ];
      for (const result of [isFirst, isSecond]) {
        assertGuardFailed(result);
        assertHeld(result, {
          [f.key('guard')]: result === isFirst,
          [f.key('other')]: result === isSecond,
        });
      }
      assert.equal(await f.get('a'), undefined);
      assert.ok((await write('a', first, second)).ok);
      const changed = await f.update('other', second, 'changed');
      assertGuardFailed(await write('b', first, second));
      assert.ok((await write('b', first, changed)).ok);
    },
  ],
  [
    'a guarded write with a ttl respects both',
    async (f) => {
      const guard = await f.create('guard');
      const write = { op: 'create', key: f.key('a'), value: Buffer.from('x'), ttlSeconds: 60 } as const;
      assertGuardFailed(await guarded(f, write, guard + 1));
      assert.equal(await f.get('a'), undefined);
      assert.ok((await guarded(f, write, guard)).ok);
      assert.equal(await textAt(f, 'a'), 'x');
    },
  ],
  [
    'guarded writes that are concurrent with a change of their guard do not take effect after it',
    async (f) => {
      const guard = await f.create('guard');
      const changed = guarded(f, { op: 'create', key: f.key('other'), value: Buffer.from('x') }, guard).then(
        () => f.update('guard', guard, 'taken'),
      );
      const writes = Array.from({ length: 24 }, (_, i) =>
        guarded(f, { op: 'create', key: f.key(`k${i}`), value: Buffer.from('x') }, guard),
      );
      const takeover = await changed;
      for (const [i, result] of (await Promise.all(writes)).entries()) {
        if (result.ok)
          assert.ok(result.rev < takeover, `k${i} took effect at ${result.rev}, after ${takeover}`);
        else assertGuardFailed(result);
      }
    },
  ],
];
