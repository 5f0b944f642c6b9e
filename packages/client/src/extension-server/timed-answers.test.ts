import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@orch/machinery/testing';
import { TimedAnswers } from './timed-answers.ts';

describe('an answer of the API server', () => {
  it('an answer of the API server is used for ten seconds after it was requested', async () => {
    const clock = new FakeClock();
    const answers = new TimedAnswers<number>(clock);
    let asked = 0;
    const ask = async (): Promise<number> => ++asked;
    assert.equal(await answers.get('a', ask), 1);
    clock.advance(9_999);
    assert.equal(await answers.get('a', ask), 1);
    assert.equal(await answers.get('b', ask), 2);
    clock.advance(1);
    assert.equal(await answers.get('a', ask), 3);
  });

  it('an answer of the API server is requested again after a failure', async () => {
    const answers = new TimedAnswers<number>(new FakeClock());
    await assert.rejects(answers.get('a', async () => Promise.reject(new Error('unavailable'))));
    assert.equal(await answers.get('a', async () => 1), 1);
  });

  it('an answer of the API server is one of at most a thousand, of which the oldest is removed first', async () => {
    const answers = new TimedAnswers<string>(new FakeClock());
    for (let key = 0; key <= 1_000; key++) await answers.get(`${key}`, async () => 'old');
    assert.equal(await answers.get('1', async () => 'new'), 'old');
    assert.equal(await answers.get('0', async () => 'new'), 'new');
  });
});
