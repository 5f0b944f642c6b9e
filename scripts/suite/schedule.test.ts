import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runAll } from './schedule.ts';

/** Tasks that run until a test ends them. */
function tasksUntilEnded(count: number) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = Array.from({ length: count }, (_, i) => () => {
    started.push(i);
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  const end = async (i: number): Promise<void> => {
    ends[i]?.();
    await turn();
  };
  return { tasks, started, end };
}

/** Room that a test announces. */
function announced() {
  let waiting: ((room: boolean) => void)[] = [];
  const room = (): Promise<boolean> => new Promise((resolve) => waiting.push(resolve));
  const say = async (answer: boolean): Promise<void> => {
    const told = waiting;
    waiting = [];
    for (const tell of told) tell(answer);
    await turn();
  };
  return { room, say };
}

describe('runAll', () => {
  it('as many tasks as required run at the same time, in their order, and each end starts the next', async () => {
    const { tasks, started, end } = tasksUntilEnded(4);
    const all = runAll(tasks, { atLeast: 2, atMost: 2, room: () => Promise.resolve(true) });
    await turn();
    deepEqual(started, [0, 1]);
    await end(1);
    deepEqual(started, [0, 1, 2]);
    await end(0);
    await end(2);
    await end(3);
    await all;
  });

  it('one more task runs each time there is room, up to the limit', async () => {
    const { tasks, started, end } = tasksUntilEnded(5);
    const { room, say } = announced();
    const all = runAll(tasks, { atLeast: 1, atMost: 3, room });
    await turn();
    await say(false);
    deepEqual(started, [0]);
    await say(true);
    deepEqual(started, [0, 1]);
    await say(true);
    await say(true);
    deepEqual(started, [0, 1, 2]);
    for (const i of [0, 1, 2, 3, 4]) await end(i);
    await all;
    equal(started.length, 5);
  });

  it('without room, a task that ends above the required number starts no other', async () => {
    const { tasks, started, end } = tasksUntilEnded(4);
    const { room, say } = announced();
    const all = runAll(tasks, { atLeast: 1, atMost: 2, room });
    await turn();
    await say(true);
    await end(0);
    await say(false);
    deepEqual(started, [0, 1]);
    await end(1);
    deepEqual(started, [0, 1, 2]);
    await end(2);
    await end(3);
    await all;
  });

  it('a task that fails rejects the whole', async () => {
    const failing = [() => Promise.reject(new Error('the task failed')), () => Promise.resolve()];
    await rejects(
      runAll(failing, { atLeast: 1, atMost: 1, room: () => Promise.resolve(false) }),
      /the task failed/,
    );
  });
});
