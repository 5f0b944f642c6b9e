import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aborted, deferred } from '@orch/machinery/concurrency';
import { type Opening, openAll, runAll } from './open-all.ts';

const never = new AbortController().signal;

/** An opening that resolves with its name, and records when it is closed. */
const thing = (name: string, closed: string[]): Opening<string> => ({
  open: async () => name,
  close: (opened) => void closed.push(opened),
});

const failing = (message: string): Opening<never> => ({
  open: () => Promise.reject(new Error(message)),
});

describe('opening of all resources', () => {
  it('all resources are opened, and none is closed without a failure', async () => {
    const closed: string[] = [];
    assert.deepEqual(await openAll([thing('a', closed), thing('b', closed)], never), ['a', 'b']);
    assert.deepEqual(closed, []);
  });

  it('resources that opened before a failure are closed, and the cause is thrown', async () => {
    const closed: string[] = [];
    const openings = [thing('a', closed), failing('broken'), thing('b', closed)] as const;
    await assert.rejects(openAll(openings, never), /^Error: broken$/);
    assert.deepEqual(closed.sort(), ['a', 'b']);
  });

  it('a resource that opens after a failure is closed', async () => {
    const closed: string[] = [];
    const late = deferred<string>();
    const opening: Opening<string> = { ...thing('late', closed), open: () => late.promise };
    const result = openAll([opening, failing('broken')], never);
    late.resolve('late');
    await assert.rejects(result, /broken/);
    assert.deepEqual(closed, ['late']);
  });

  it('pending openings are aborted after a failure', async () => {
    const waiting: Opening<never> = {
      async open(signal) {
        await aborted(signal);
        throw signal.reason;
      },
    };
    await assert.rejects(openAll([waiting, failing('broken')], never), /^Error: broken$/);
  });

  it('the given signal aborts all openings', async () => {
    const stop = new AbortController();
    const waiting = async (signal: AbortSignal): Promise<never> => {
      await aborted(signal);
      throw signal.reason;
    };
    const result = runAll([waiting, waiting], stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(result, /^Error: stopped$/);
  });

  it('the cause is thrown also when closing fails', async () => {
    const stuck: Opening<string> = { open: async () => 'a', close: () => Promise.reject(new Error('stuck')) };
    await assert.rejects(openAll([stuck, failing('broken')], never), /^Error: broken$/);
  });
});
