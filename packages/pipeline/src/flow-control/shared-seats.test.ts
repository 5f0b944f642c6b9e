import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@orch/machinery/testing';
import { type LevelLimits, PriorityLevel, type Seat } from './priority-level.ts';
import { SharedSeats } from './shared-seats.ts';

const queuing = { queues: 4, handSize: 2, queueLengthLimit: 100 };

/** Levels that lend seats to each other, each with a queue. */
function levelsOf(limits: Readonly<Record<string, Omit<LevelLimits, 'queuing'>>>) {
  const shared = new SharedSeats();
  shared.size = Object.values(limits).reduce((sum, { lendable = 0 }) => sum + lendable, 0);
  const levels = new Map(
    Object.entries(limits).map(([name, limit]) => [
      name,
      new PriorityLevel(name, { ...limit, queuing }, shared),
    ]),
  );
  const seats: { readonly level: PriorityLevel; readonly seat: Seat }[] = [];
  const of = (name: string): PriorityLevel => {
    const level = levels.get(name);
    assert.ok(level !== undefined);
    return level;
  };
  return {
    shared,
    seats,
    of,
    all: [...levels.values()],
    /** Takes seats one by one; returns their number. */
    take(name: string, count: number): number {
      const level = of(name);
      for (let taken = 0; taken < count; taken++) {
        const seat = level.take(1);
        if (seat === undefined) return taken;
        seats.push({ level, seat });
      }
      return count;
    },
    wait(name: string, count = 1): void {
      const level = of(name);
      for (let i = 0; i < count; i++)
        level.enqueue(`flow-${i}`, 1, (seat) => void seats.push({ level, seat }));
    },
    /** Returns one seat of a level, if it has any. */
    giveBack(name: string): void {
      const at = seats.findIndex(({ level }) => level.name === name);
      const [given] = seats.splice(at, 1);
      assert.ok(at >= 0 && given !== undefined);
      given.level.giveBack(given.seat, 1);
    },
  };
}

describe('seats shared among levels', () => {
  it('levels that lend no seats keep all of them', () => {
    const levels = levelsOf({ a: { seats: 3 }, b: { seats: 3 } });
    assert.equal(levels.take('a', 10), 3);
    assert.equal(levels.take('b', 10), 3);
  });

  it('others get the lendable seats, and no more', () => {
    const levels = levelsOf({ a: { seats: 4, lendable: 3 }, b: { seats: 2 } });
    assert.equal(levels.take('b', 10), 5);
    assert.equal(levels.take('a', 10), 1);
  });

  it('occupied seats are not lent', () => {
    const levels = levelsOf({ a: { seats: 4, lendable: 3 }, b: { seats: 2 } });
    assert.equal(levels.take('a', 10), 4);
    assert.equal(levels.take('b', 10), 2);
  });

  it('a level borrows up to its limit', () => {
    const levels = levelsOf({ a: { seats: 10, lendable: 10 }, b: { seats: 2, borrowable: 3 } });
    assert.equal(levels.take('b', 10), 5);
    const none = levelsOf({ a: { seats: 10, lendable: 10 }, b: { seats: 2, borrowable: 0 } });
    assert.equal(none.take('b', 10), 2);
  });

  it('one request always fits, even if all seats are lent', () => {
    const levels = levelsOf({ a: { seats: 4, lendable: 4 }, b: { seats: 2 } });
    assert.equal(levels.take('b', 10), 6);
    assert.equal(levels.take('a', 10), 1);
  });

  it('owners get their seats back before any level borrows again', () => {
    const levels = levelsOf({ a: { seats: 4, lendable: 3 }, b: { seats: 2 } });
    levels.take('b', 5);
    levels.take('a', 1);
    levels.wait('a', 3);
    levels.wait('b', 3);
    assert.equal(levels.of('a').waiting, 3);
    for (let left = 3; left > 0; left--) {
      levels.giveBack('b');
      assert.equal(levels.of('a').waiting, left - 1);
      assert.equal(levels.of('b').waiting, 3);
    }
    // All own seats are occupied, and returned ones go to the queue of their level.
    levels.giveBack('b');
    assert.equal(levels.of('b').waiting, 2);
  });

  it('unused seats are dispatched at once to requests queued at other levels', () => {
    const levels = levelsOf({ a: { seats: 3, lendable: 3 }, b: { seats: 1 } });
    levels.take('a', 3);
    levels.take('b', 1);
    levels.wait('b', 2);
    levels.giveBack('a');
    assert.equal(levels.of('b').waiting, 1);
    levels.giveBack('a');
    assert.equal(levels.of('b').waiting, 0);
  });

  it('free seats are shared among borrowers in relation to their own seats', () => {
    const levels = levelsOf({ a: { seats: 2, lendable: 2 }, b: { seats: 4 }, c: { seats: 2 } });
    levels.take('a', 2);
    levels.take('b', 4);
    levels.take('c', 2);
    levels.wait('b', 2);
    levels.wait('c', 2);
    levels.giveBack('a');
    levels.giveBack('a');
    assert.deepEqual([levels.of('b').waiting, levels.of('c').waiting], [1, 1]);
  });

  it('levels never exceed the total number of seats, and every queued request is served', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed);
      const levels = levelsOf({
        a: { seats: 5, lendable: random.int(6) },
        b: { seats: 3, lendable: random.int(4), borrowable: random.int(4) },
        c: { seats: 2, lendable: 0, borrowable: random.int(10) },
      });
      const names = ['a', 'b', 'c'];
      const pick = (): string => names[random.int(names.length)] ?? '';
      for (let step = 0; step < 400; step++) {
        const held = levels.seats[random.int(Math.max(levels.seats.length, 1))];
        const name = pick();
        if (random.int(2) === 0 && held !== undefined) levels.giveBack(held.level.name);
        else if (levels.take(name, 1) === 0) levels.wait(name);
        // Each level may exceed the total by the one request that always fits.
        const together = levels.all.reduce((sum, { seatsInUse }) => sum + seatsInUse, 0);
        assert.ok(together <= 10 + names.length, `seed ${seed}: ${together} seats`);
        for (const { name: of, seatsInUse, limits } of levels.all)
          assert.ok(seatsInUse <= (limits.seats ?? 0) + (limits.borrowable ?? 10), `seed ${seed}: ${of}`);
      }
      for (let turn = 0; levels.seats.length > 0; turn++) {
        assert.ok(turn < 2000, `seed ${seed}: ends`);
        levels.giveBack(levels.seats[0]?.level.name ?? '');
      }
      assert.deepEqual(
        levels.all.map(({ waiting, seatsInUse }) => [waiting, seatsInUse]),
        names.map(() => [0, 0]),
      );
    }
  });
});
