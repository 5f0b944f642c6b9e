import { testEnv } from '@orch/machinery/testing';
import { describeStore } from '../conformance/index.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';
import { SharedWriterThread } from './writer/shared-writer-thread.ts';

const sharedWriter = new SharedWriterThread();

async function open() {
  const dir = await tempDir('orch-embedded-');
  const env = testEnv();
  const store = await openEmbeddedStore({ dir: dir.path, env, sharedWriter });
  const abort = new AbortController();
  return {
    store,
    signal: abort.signal,
    advance: (ms: number) => env.clock.advance(ms),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

// Stores with separate threads are those of the tests of durability, of the writer, and of every server.
describeStore('embedded', open);
