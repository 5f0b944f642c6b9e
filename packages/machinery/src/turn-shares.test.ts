import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TurnSchedule } from './turn-schedule.ts';

/** Times of the model of an event loop, in milliseconds. */
interface Load {
  /** Connections of the client, which sends the next request of each as soon as it has the answer. */
  readonly connections: number;
  /** CPU of a small request on the server. */
  readonly requestMs: number;
  /** CPU of the client for a request, one at a time. */
  readonly clientMs: number;
  /** Time of a message on its way. */
  readonly networkMs: number;
  /** Multiple of the CPU of each request beside turns: caches are cold, and garbage of the turns is collected. */
  readonly slowness: number;
  readonly isPatient: boolean;
  /** Work of a turn that is done after it, for each millisecond of it: garbage is collected, answers are encrypted. */
  readonly afterTurns: number;
}

const usual: Load = {
  connections: 4,
  requestMs: 0.044,
  clientMs: 0.03,
  networkMs: 0.015,
  slowness: 1,
  isPatient: true,
  afterTurns: 0,
};
const [DURATION_MS, ITERATION_MS, PIECE_MS] = [2000, 0.006, 0.2];

/** An event loop in time of its own: small requests of a client, and endless work in turns if there is any. */
class EventLoop {
  /** Otherwise they are other work, such as events of watches. */
  answersAreSmall = true;
  answers = 0;
  turnsMs = 0;
  readonly #load: Load;
  #time = 0;
  #waitedMs = 0;
  #end = DURATION_MS;
  #afterMs = 0;
  #clientTime = 0;
  #due: (() => void)[] = [];
  #arrivals: number[];
  /** When another thread has done its part of the work. */
  #returns: { readonly at: number; readonly proceed: () => void }[] = [];
  readonly schedule = new TurnSchedule(
    { monotonic: () => this.#time, active: () => this.#time - this.#waitedMs },
    (then) => this.#due.push(then),
  );

  constructor(load: Load) {
    this.#load = load;
    this.#arrivals = Array.from({ length: load.connections }, () => 0);
  }

  addEndlessWork(): void {
    const advance = (until: number): boolean => {
      for (; this.#time < until; this.#time += PIECE_MS) {
        this.turnsMs += PIECE_MS;
        this.#afterMs += PIECE_MS * this.#load.afterTurns;
      }
      return false;
    };
    this.schedule.add({ isPatient: this.#load.isPatient, advance }, { isNew: false });
  }

  /** Work without an end that waits for another thread after each turn. */
  addWorkWithHelper(helperMs: number): void {
    const advance = (until: number): boolean => {
      this.turnsMs += until - this.#time;
      this.#time = until;
      this.#returns.push({ at: until + helperMs, proceed: () => this.addWorkWithHelper(helperMs) });
      return true;
    };
    this.schedule.add({ isPatient: this.#load.isPatient, advance }, { isNew: false });
  }

  /** Lets the time pass in which answers are counted. */
  run(): this {
    while (this.#time < this.#end) this.#iterate();
    return this;
  }

  /** As `run`, before that time. */
  warmUp(): this {
    this.run();
    this.answers = 0;
    this.#end += DURATION_MS;
    return this;
  }

  #iterate(): void {
    this.#time += ITERATION_MS;
    // A loop with nothing to do waits for the next message.
    if (this.#due.length === 0) {
      const next = Math.min(...this.#arrivals, ...this.#returns.map(({ at }) => at));
      const waitedMs = Math.max(next - this.#time, 0);
      this.#time += waitedMs;
      this.#waitedMs += waitedMs;
    }
    const arrived = this.#arrivals.filter((at) => at <= this.#time);
    this.#arrivals = this.#arrivals.filter((at) => at > this.#time);
    this.#workAfterTurns();
    for (const _ of arrived) this.#answer();
    const returned = this.#returns.filter(({ at }) => at <= this.#time);
    this.#returns = this.#returns.filter((one) => !returned.includes(one));
    for (const { proceed } of returned) proceed();
    for (const then of this.#due.splice(0)) then();
  }

  #workAfterTurns(): void {
    const ms = Math.min(this.#afterMs, PIECE_MS);
    this.#afterMs -= ms;
    this.#time += ms;
  }

  #answer(): void {
    const { requestMs, slowness, networkMs, clientMs } = this.#load;
    this.#time += this.turnsMs > 0 ? requestMs * slowness : requestMs;
    this.answers += 1;
    if (this.answersAreSmall) this.schedule.noteSmallAnswer();
    this.#clientTime = Math.max(this.#clientTime, this.#time + networkMs) + clientMs;
    this.#arrivals.push(this.#clientTime + networkMs);
  }
}

interface Shares {
  readonly kept: number;
  readonly turns: number;
}

/** The part of its answers that a client keeps beside work without an end, and the part of the thread that the turns have. */
function shares(load: Load, begin = (loop: EventLoop): void => loop.addEndlessWork()): Shares {
  const alone = new EventLoop(load).warmUp().run();
  const beside = new EventLoop(load).warmUp();
  begin(beside);
  beside.run();
  return { kept: beside.answers / alone.answers, turns: beside.turnsMs / DURATION_MS };
}

const work = (isPatient: boolean): string => (isPatient ? 'patient' : 'hurried');

describe('the shares of a thread', () => {
  for (const isPatient of [true, false]) {
    for (const connections of [1, 2, 4, 10]) {
      it(`a client of ${connections} connections keeps more than half of its answers beside ${work(isPatient)} work without an end`, () => {
        const { kept } = shares({ ...usual, connections, isPatient });
        assert.ok(kept > 0.5, `${(100 * kept).toFixed(0)} %`);
      });
    }

    for (const helperMs of [0.1, 1, 5]) {
      it(`a client keeps more than half of its answers beside ${work(isPatient)} work that waits ${helperMs} ms for another thread after each turn`, () => {
        const { kept } = shares({ ...usual, isPatient }, (loop) => loop.addWorkWithHelper(helperMs));
        assert.ok(kept > 0.5, `${(100 * kept).toFixed(0)} %`);
      });
    }

    it(`a client that is far away keeps more than half of its answers beside ${work(isPatient)} work`, () => {
      const { kept } = shares({ ...usual, connections: 1, networkMs: 0.2, isPatient });
      assert.ok(kept > 0.5, `${(100 * kept).toFixed(0)} %`);
    });
  }

  it('a client keeps two fifths of its answers where each costs 1.8 times as much beside turns', () => {
    const { kept } = shares({ ...usual, slowness: 1.8 });
    assert.ok(kept >= 0.4, `${(100 * kept).toFixed(0)} %`);
  });

  it('a client keeps two fifths of its answers where turns cause as much other work as they take, and answers cost 1.8 times as much', () => {
    const { kept } = shares({ ...usual, slowness: 1.8, afterTurns: 1 });
    assert.ok(kept >= 0.4, `${(100 * kept).toFixed(0)} %`);
  });

  it('work in turns keeps a ninth of the thread, however much answers cost beside it', () => {
    const { turns } = shares({ ...usual, slowness: 10 });
    assert.ok(turns > 0.1 && turns < 0.13, `${(100 * turns).toFixed(0)} %`);
  });

  it('work in turns keeps about a quarter of a thread that is saturated with small requests', () => {
    const { turns } = shares(usual);
    assert.ok(turns > 0.22 && turns < 0.28, `${(100 * turns).toFixed(0)} %`);
  });

  it('work in turns keeps more than two fifths of a thread whose clients take longer than the thread', () => {
    const { turns } = shares({ ...usual, connections: 1, networkMs: 0.2 });
    assert.ok(turns > 0.4, `${(100 * turns).toFixed(0)} %`);
  });

  it('hurried work has the whole thread when no client gets small answers', () => {
    const loop = new EventLoop({ ...usual, connections: 0, isPatient: false });
    loop.addEndlessWork();
    const { turnsMs } = loop.run();
    assert.ok(turnsMs > 0.97 * DURATION_MS, `${turnsMs} of ${DURATION_MS} ms`);
  });

  it('work in turns keeps a fifth of a thread that is full of work without small answers', () => {
    const loop = new EventLoop({ ...usual, slowness: 1.8 }).warmUp();
    loop.answersAreSmall = false;
    loop.addEndlessWork();
    loop.run();
    const part = loop.turnsMs / DURATION_MS;
    assert.ok(part >= 0.2, `${(100 * part).toFixed(0)} %`);
  });
});
