import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Schedule, scheduleOf } from './schedule.ts';
import { shrink } from './shrink.ts';

const kindsOf = ({ events }: Schedule): readonly string[] => events.map(({ kind }) => kind);

/** A schedule with all programs and these events. */
const schedule = (...kinds: Schedule['events'][number]['kind'][]): Schedule => ({
  seed: 1,
  cast: {
    managers: 3,
    copiers: 2,
    observers: 1,
    registers: 4,
    definers: 1,
    submitters: 1,
    crowds: 1,
    extenders: 1,
    movers: 1,
    restorers: 1,
  },
  events: kinds.map((kind, choice) => ({ afterMs: 100, kind, choice })),
});

describe('schedules of simulations', () => {
  it('schedules of one seed are equal, and those of other seeds differ', () => {
    assert.deepEqual(scheduleOf(7, 5), scheduleOf(7, 5));
    assert.notDeepEqual(scheduleOf(7, 5), scheduleOf(8, 5));
  });

  it('a failing schedule shrinks to the events and programs without which it passes', async () => {
    const given = schedule(
      'users act',
      'a server is killed',
      'objects change',
      'the store is compacted',
      'the store is slow',
      'registers work',
      'a process is killed',
    );
    const least = await shrink(given, async (smaller) => {
      const kinds = kindsOf(smaller);
      return (
        smaller.cast.copiers > 0 &&
        kinds.indexOf('a server is killed') >= 0 &&
        kinds.indexOf('the store is slow') > kinds.indexOf('a server is killed')
      );
    });
    assert.deepEqual(kindsOf(least), ['a server is killed', 'the store is slow']);
    assert.deepEqual(least.cast, {
      managers: 0,
      copiers: 1,
      observers: 0,
      registers: 0,
      definers: 0,
      submitters: 0,
      crowds: 0,
      extenders: 0,
      movers: 0,
      restorers: 0,
    });
    assert.deepEqual(
      least.events.map(({ choice }) => choice),
      [1, 4],
    );
  });

  it('a search for a smaller schedule that never fails returns the given one', async () => {
    const given = schedule('users act', 'all faults end');
    assert.deepEqual(await shrink(given, async () => false), given);
  });
});
