import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FakeClock, settle } from '@orch/machinery/testing';
import { answerInTime } from './answer-in-time.ts';

const never = new Promise<string>(() => undefined);

describe('answers of threads', () => {
  it('the answer of a thread is passed on', async () => {
    const running = { ended: new AbortController().signal, clock: new FakeClock() };
    assert.equal(await answerInTime(Promise.resolve('new'), running, () => 'last'), 'new');
  });

  it('another answer is given when the thread does not answer in time', async () => {
    const clock = new FakeClock();
    const given = answerInTime(never, { ended: new AbortController().signal, clock }, () => 'last');
    await clock.advance(5_000);
    assert.equal(await given, 'last');
  });

  it('another answer is given when the thread ends', async () => {
    const thread = new AbortController();
    const given = answerInTime(never, { ended: thread.signal, clock: new FakeClock() }, () => 'last');
    thread.abort();
    assert.equal(await given, 'last');
  });

  it('an answer that was read takes no memory while the thread runs', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const running = { ended: new AbortController().signal, clock: new FakeClock() };
    const read: WeakRef<object>[] = [];
    for (let i = 0; i < 10; i += 1) {
      const text = answerInTime(Promise.resolve({ text: 'metrics' }), running, () => ({ text: '' }));
      read.push(new WeakRef(await text));
    }
    await settle();
    collect();
    assert.ok(read.filter((answer) => answer.deref() !== undefined).length <= 1);
    assert.ok(!running.ended.aborted);
  });
});
