import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settle } from '../testing/fake-clock.ts';
import { TurnSchedule } from '../turn-schedule.ts';
import { atOnce, Pace, Turns, type Work } from './turns.ts';

/** Turns in iterations of an event loop that the test runs. */
function turnsIn(clock: { monotonic(): number }, due: (() => void)[], pace?: 'patient' | 'hurried'): Turns {
  return new Turns({ clock, turns: new TurnSchedule(clock, (then) => due.push(then)) }, pace);
}

/** A clock that every reading advances, and iterations of an event loop that the test runs. */
function eventLoop({ msPerReading = 1 } = {}) {
  const log: string[] = [];
  const due: (() => void)[] = [];
  let time = 0;
  const clock = { monotonic: () => (time += msPerReading) };
  return {
    turns: turnsIn(clock, due),
    log,
    /** Lets time pass. */
    work(name: string, ms: number): void {
      log.push(name);
      time += ms;
    },
    /** Calls what is due, each with its consequences. Whether anything is due afterwards. */
    async iterate(): Promise<boolean> {
      log.push('|');
      for (const then of due.splice(0)) {
        then();
        await settle();
      }
      return due.length > 0;
    },
    /** The events of each iteration that had any. */
    happened: () => log.join('').replace(/\|+/g, '|').replace(/\|$/, ''),
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

  it('work that is done at once counts as a turn, so that others have their time after some of it', () => {
    let time = 0;
    const turns = turnsIn({ monotonic: () => time }, []);
    function* small(): Work<string> {
      yield* pieces('', 0, []);
      time += 2;
      return 'done';
    }
    assert.deepEqual([turns.run(small()), turns.run(small())], ['done', 'done']);
    time += 2;
    assert.ok(turns.run(small()) instanceof Promise, 'others had two of twelve milliseconds');
  });

  it('work is done at once again when others had their time, and soon after a thread did not run for long', () => {
    let time = 0;
    const turns = turnsIn({ monotonic: () => time }, []);
    function* broken(): Work<string> {
      yield* pieces('', 0, []);
      time += 4000;
      throw new TypeError('broken');
    }
    assert.throws(() => turns.run(broken()), /broken/);
    time += 70;
    assert.equal(turns.run(pieces('a', 1, [])), 'a');
  });

  it('work in turns continues in later iterations of the event loop when it takes longer than a turn', async () => {
    const { iterate, log, turns, happened } = eventLoop();
    const result = turns.run(pieces('a', 5, log));
    assert.ok(result instanceof Promise);
    while (await iterate());
    assert.equal(await result, 'a');
    assert.equal(happened(), 'aa|aa|a');
  });

  it('work in turns has one turn in each iteration of the event loop, whichever work waits beside it', async () => {
    const { iterate, log, turns, happened } = eventLoop();
    const results = [turns.run(pieces('a', 5, log)), turns.run(pieces('b', 3, log))];
    while (await iterate());
    assert.deepEqual(await Promise.all(results), ['a', 'b']);
    assert.equal(happened(), 'aa|aa|bb|a|b');
  });

  it('work in turns rejects with its failure, and other work continues', async () => {
    const { iterate, log, turns } = eventLoop();
    function* failing(): Work<string> {
      yield* pieces('a', 3, log);
      throw new TypeError('broken');
    }
    const failed = assert.rejects(async () => turns.run(failing()), /broken/);
    const other = turns.run(pieces('b', 3, log));
    while (await iterate());
    await failed;
    assert.equal(await other, 'b');
    assert.throws(() => atOnce(failing()), /broken/);
  });

  it('work that is not divided has one turn in each iteration, and work that has begun comes before new work', async () => {
    const { iterate, turns, work, happened } = eventLoop();
    const request = async (name: string): Promise<void> => {
      await turns.begin();
      for (let stage = 0; stage < 3; stage++) {
        work(`${name}${stage}`, 0);
        await turns.next();
      }
    };
    const all = ['a', 'b'].map(request);
    while (await iterate());
    await Promise.all(all);
    assert.equal(happened(), '|a0|a1|a2|b0|b1|b2');
  });

  it('new work begins although work that has begun never ends', async () => {
    const { iterate, turns, work, happened } = eventLoop();
    const endless = async (): Promise<void> => {
      for (;;) {
        work('e', 0);
        await turns.next();
      }
    };
    void endless();
    void turns.begin().then(() => work('n', 0));
    for (let i = 0; i < 20; i++) await iterate();
    assert.match(happened(), /^e\|e\|e\|e\|e\|n\|e/);
  });

  it('others have time after a long turn while they have work, and none when they have nothing to do', async () => {
    const iterationsAfter = async (turnMs: number, othersMs: number): Promise<number> => {
      const { iterate, turns, work, log } = eventLoop();
      void turns.begin().then(() => work('long', turnMs));
      void turns.begin().then(() => work('next', 0));
      while (!log.includes('next')) {
        await iterate();
        work('others', othersMs);
      }
      return log.filter((entry) => entry === 'others').length;
    };
    assert.deepEqual([await iterationsAfter(0, 10), await iterationsAfter(1000, 100)], [2, 32]);
  });

  it('others have three times the time of work in short turns, while they have work', async () => {
    const { iterate, turns, work, log } = eventLoop({ msPerReading: 0.001 });
    const [shortMs, othersMs] = [2, 0.25];
    function* divided(): Work<void> {
      for (let i = 0; i < 50; i++) {
        work('piece', shortMs);
        yield;
      }
    }
    const done = Promise.resolve(turns.run(divided())).then(() => log.push('done'));
    while (!log.includes('done')) {
      await iterate();
      work('others', othersMs);
    }
    await done;
    const msOf = (name: string, ms: number): number => ms * log.filter((entry) => entry === name).length;
    const [own, others] = [msOf('piece', shortMs), msOf('others', othersMs)];
    assert.ok(others >= 2.9 * own && others <= 3.5 * own, `${others} ms beside ${own} ms`);
  });

  it('the parts of a thread together take a quarter of its time while others have work', async () => {
    let [time, own, others] = [0, 0, 0];
    const clock = { monotonic: () => (time += 0.001) };
    const due: (() => void)[] = [];
    const turns = new TurnSchedule(clock, (then) => due.push(then));
    function* endless(): Work<void> {
      for (;;) {
        time += 2;
        own += 2;
        yield;
      }
    }
    for (const pace of ['patient', 'hurried', 'patient'] as const)
      void new Turns({ clock, turns }, pace).run(endless());
    while (time < 500) {
      for (const then of due.splice(0)) then();
      time += 0.25;
      others += 0.25;
    }
    assert.ok(others >= 2.9 * own && own >= 0.28 * others, `${own} ms beside ${others} ms`);
  });

  it('a client that sends a request after each answer keeps two fifths of its requests beside endless work', () => {
    const [requestMs, clientMs, totalMs] = [0.05, 0.5, 200];
    let time = 0;
    const clock = { monotonic: () => (time += 0.001) };
    const due: (() => void)[] = [];
    const turns = turnsIn(clock, due);
    function* endless(): Work<void> {
      for (;;) {
        time += 2;
        yield;
      }
    }
    void turns.run(endless());
    let [answers, sentAt] = [0, 0];
    while (time < totalMs) {
      for (const then of due.splice(0)) then();
      if (time < sentAt) continue;
      time += requestMs;
      answers += 1;
      sentAt = time + clientMs;
    }
    const alone = totalMs / (requestMs + clientMs);
    assert.ok(answers >= 0.4 * alone, `${answers} of ${alone} requests`);
  });

  it('hurried work continues in the next iteration in which there is no other work', async () => {
    const iterationsOf = async (othersMs: number): Promise<number> => {
      const due: (() => void)[] = [];
      let [time, iterations, isDone] = [0, 0, false];
      const turns = turnsIn({ monotonic: () => (time += 0.001) }, due, 'hurried');
      void turns.next().then(() => {
        time += 100;
      });
      void turns.next().then(() => {
        isDone = true;
      });
      for (; !isDone; iterations++) {
        for (const then of due.splice(0)) {
          then();
          await settle();
        }
        time += othersMs;
      }
      return iterations;
    };
    assert.deepEqual([await iterationsOf(0), await iterationsOf(10)], [3, 32]);
  });

  it('work continues after a part of a long turn when there is no other work', async () => {
    const { iterate, turns, work, log } = eventLoop({ msPerReading: 0.01 });
    void turns.begin().then(() => work('long', 100));
    void turns.begin().then(() => work('next', 0));
    while (!log.includes('next')) await iterate();
    const waitedMs = log.filter((entry) => entry === '|').length * 0.01;
    assert.ok(waitedMs > 9 && waitedMs < 12, String(waitedMs));
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
