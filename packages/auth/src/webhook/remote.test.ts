import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemRandom } from '@orch/machinery/env';
import { FakeClock } from '@orch/machinery/testing';
import { readJsonAnswer } from './post-json.ts';
import { Remote } from './remote.ts';

const never = new AbortController().signal;

/** Longer than the pauses between all attempts of a question, shorter than the time without questions after failures. */
const ATTEMPTS_MS = 4_900;

/** A webhook that answers a question with the status and the text of its body. */
function remote() {
  const clock = new FakeClock();
  const post = async (question: object): Promise<unknown> => {
    const { status, text } = question as { readonly status: number; readonly text: string };
    return readJsonAnswer({ status, body: Buffer.from(text) });
  };
  const questions = new Remote({ post, clock, random: systemRandom });
  let asked = 0;
  const ask = (status: number, text: string): Promise<unknown> =>
    questions.query(String(asked++), { status, text }, never).catch((error: Error) => error.message);
  return { ask, clock };
}

describe('questions to a webhook', () => {
  for (const [what, status, text] of [
    ['a status that is not temporary', 401, ''],
    ['a body that is not JSON', 200, 'hello'],
  ] as const)
    it(`a webhook gets further questions after it has answered many with ${what}`, async () => {
      const { ask } = remote();
      for (let count = 0; count < 20; count++) assert.match(String(await ask(status, text)), /^it/);
      assert.deepEqual(await ask(200, '{}'), {});
    });

  it('a webhook gets no questions for a while after it has failed repeatedly', async () => {
    const { ask, clock } = remote();
    for (let count = 0; count < 5; count++) {
      const answer = ask(500, '');
      await clock.advanceAsync(ATTEMPTS_MS);
      assert.equal(await answer, 'it answered 500');
    }
    assert.equal(await ask(200, '{}'), 'it failed repeatedly');
    clock.advance(5_000);
    assert.deepEqual(await ask(200, '{}'), {});
  });
});
