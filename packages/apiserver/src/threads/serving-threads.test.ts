import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemEnv } from '@orch/machinery/env';
import { flagValues, StartError } from '@orch/program';
import { apiServerFlags } from '../flags/api-server-flags.ts';
import { ServingThreads } from './serving-threads.ts';

const env = systemEnv();
const { signal: never } = new AbortController();

/** Threads with a program that is given as text; `port` is its end of the messages. */
function threadsWith(program: string, count = 2): ServingThreads {
  const code = `import { parentPort as port } from 'node:worker_threads'; ${program}`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  return new ServingThreads({ flags: flagValues(apiServerFlags), count, stores: 1, env, url });
}

const failing = (text: RegExp) => (error: unknown) => error instanceof StartError && text.test(error.message);

describe('the further threads of a server', () => {
  it('the further threads serve on the port of the first one, and end when they are asked to', async () => {
    const threads = threadsWith(`port.on('message', (message) => {
      if (message.type === 'serve' && message.port === 4711) port.postMessage({ type: 'ready' });
      if (message.type === 'stop') port.close();
    })`);
    assert.equal(threads.areServing, false);
    await threads.serve(4711, never);
    assert.equal(threads.areServing, true);
    const stop = new AbortController();
    const running = threads.run(stop.signal);
    await threads.drain(never);
    stop.abort();
    await running;
    await threads.end();
  });

  it('a thread that cannot serve fails the start with its message', async () => {
    const threads = threadsWith(`port.on('message', () => {
      port.postMessage({ type: 'failed', message: 'cannot open the store' });
      port.close();
    })`);
    await assert.rejects(threads.serve(1, never), failing(/^serving thread [23]: cannot open the store$/));
    await threads.end();
  });

  it('a thread that crashes ends the process with its cause', async () => {
    const threads = threadsWith(
      `port.on('message', () => { throw new TypeError('a fault of the program'); })`,
      1,
    );
    const running = threads.run(never);
    await assert.rejects(threads.serve(1, never), failing(/TypeError: a fault of the program/));
    await assert.rejects(running, failing(/^serving thread 2: TypeError: a fault of the program\n/));
  });

  it('a thread that ends without a reason ends the process', async () => {
    const threads = threadsWith(
      `port.once('message', () => {
      port.postMessage({ type: 'ready' });
      port.once('message', () => port.close());
    })`,
      1,
    );
    await threads.serve(1, never);
    const running = threads.run(never);
    void threads.serve(1, never);
    await assert.rejects(running, failing(/^serving thread 2: it ended$/));
  });

  it('the further threads receive renewed certificates', async () => {
    const threads = threadsWith(
      `port.on('message', ({ type, renewed }) => {
        if (type !== 'renewed') return;
        port.postMessage({ type: 'failed', message: renewed.serving.cert });
        port.close();
      })`,
      1,
    );
    threads.renew({ serving: { cert: 'renewed', key: '' }, proxyClient: undefined });
    await assert.rejects(threads.run(never), failing(/^serving thread 2: renewed$/));
  });

  it('a thread that does not complete its requests in time is terminated', async () => {
    const threads = threadsWith(`port.on('message', ({ type }) => {
      if (type === 'serve') port.postMessage({ type: 'ready' });
    })`);
    await threads.serve(1, never);
    await threads.drain(AbortSignal.abort());
  });
});
