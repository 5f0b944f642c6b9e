import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MessagePort } from 'node:worker_threads';
import { aborted } from '@orch/machinery/concurrency';
import { FakeClock } from '@orch/machinery/testing';
import { type DebugEndpoint, DebugEndpoints, textAnswer } from '@orch/program';
import { answerAt, answerFrom } from './debug-of-threads.ts';

const { signal: never } = new AbortController();
const path = '/debug/part';
const question = { method: 'GET', path, query: 'seconds=1&thread=2' } as const;

/** Another thread with one endpoint. */
function thread(answer: DebugEndpoint['answer']) {
  const endpoints = new DebugEndpoints({ number: 2, count: 2, ask: () => assert.fail('is asked itself') });
  endpoints.add({ path, summary: 'A part.', methods: ['GET'], answer });
  return (port: MessagePort): void => answerAt(port, endpoints, question);
}

const ask = (send: (port: MessagePort) => void, signal = never, clock = new FakeClock()) =>
  answerFrom(send, 2, clock, signal);

describe('requests for debugging of another thread', () => {
  it('the other thread receives the parameters, and its answer arrives with status, headers and bytes', async () => {
    const send = thread(({ query }) =>
      textAnswer(`measured ${query.get('seconds')}`, 418, { 'X-Part': 'yes' }),
    );
    const { status, headers, body } = await ask(send);
    assert.deepEqual([status, headers['X-Part'], body.toString('utf8')], [418, 'yes', 'measured 1\n']);
  });

  it('the other thread stops its work when the client disconnects', async () => {
    const client = new AbortController();
    const began = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const asked = ask(
      thread(async ({ signal }) => {
        began.resolve();
        await aborted(signal);
        stopped.resolve();
        return textAnswer('too late');
      }),
      client.signal,
    );
    await began.promise;
    client.abort(new Error('gone'));
    await assert.rejects(asked, /^Error: gone$/);
    await stopped.promise;
  });

  it('a failure of the other thread has its number', async () => {
    await assert.rejects(
      ask(thread(() => Promise.reject(new Error('no profiler')))),
      /thread 2: no profiler/,
    );
  });

  for (const [title, send] of [
    ['has not built its server', (port) => answerAt(port, undefined, question)],
    ['ends', (port) => port.close()],
  ] as const satisfies readonly [string, (port: MessagePort) => void][])
    it(`a thread that ${title} is reported as unavailable`, async () => {
      const { status, body } = await ask(send);
      assert.deepEqual([status, body.toString('utf8')], [503, 'thread 2 does not answer\n']);
    });

  it('a thread that does not answer in time is reported as unavailable', async () => {
    const clock = new FakeClock();
    const ports: MessagePort[] = [];
    const asked = ask((port) => ports.push(port), never, clock);
    clock.advance(45_000);
    assert.equal((await asked).status, 503);
  });
});
