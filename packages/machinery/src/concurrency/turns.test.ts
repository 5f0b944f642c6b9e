import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce, Pace, Turns, type Work } from './turns.ts';

/** A clock that every reading advances by a millisecond, and iterations of an event loop that the test runs. */
function eventLoop(): { readonly turns: Turns; readonly log: string[]; iterate(): boolean } {
  const log: string[] = [];
  const due: (() => void)[] = [];
  let time = 0;
  const clock = { monotonic: () => time++ };
  return {
    turns: new Turns(clock, (then) => due.push(then)),
    log,
    iterate() {
      const then = due.shift();
      log.push('|');
      then?.();
      return due.length > 0;
    },
  };
}

function* pieces(name: string, count: number, log: string[]): Work<string> {
  for (let i = 0; i < count; i++) {
    log.push(name);
    yield;
  }
  return name;
}

describe('work in turns', () => {
  it('work in turns returns its result at once when it ends within its first turn', () => {
    const { log, turns } = eventLoop();
    assert.equal(turns.run(pieces('a', 1, log)), 'a');
  });

  it('work in turns continues in later iterations of the event loop when it takes longer than a turn', async () => {
    const { iterate, log, turns } = eventLoop();
    const result = turns.run(pieces('a', 5, log));
    assert.ok(result instanceof Promise);
    while (iterate());
    assert.equal(await result, 'a');
    assert.equal(log.join(''), 'aa|aa|a');
  });

  it('work in turns has one turn in each iteration of the event loop, whichever work waits beside it', async () => {
    const { iterate, log, turns } = eventLoop();
    const results = [turns.run(pieces('a', 5, log)), turns.run(pieces('b', 3, log))];
    while (iterate());
    assert.deepEqual(await Promise.all(results), ['a', 'b']);
    assert.equal(log.join(''), 'aa|aa|bb|a|b');
  });

  it('work in turns rejects with its failure, and other work continues', async () => {
    const { iterate, log, turns } = eventLoop();
    function* failing(): Work<string> {
      yield* pieces('a', 3, log);
      throw new TypeError('broken');
    }
    const failed = assert.rejects(async () => turns.run(failing()), /broken/);
    const other = turns.run(pieces('b', 3, log));
    while (iterate());
    await failed;
    assert.equal(await other, 'b');
    assert.throws(() => atOnce(failing()), /broken/);
  });

  it('work in turns yields after a number of small steps, and earlier after expensive ones', () => {
    const stepsUntilDue = (pace: Pace): number => {
      for (let steps = 1; ; steps++) if (pace.isDue()) return steps;
    };
    const pace = new Pace();
    const small = stepsUntilDue(pace);
    assert.equal(stepsUntilDue(pace), small);
    pace.spend(small - 1);
    assert.equal(stepsUntilDue(pace), 1);
  });
});
