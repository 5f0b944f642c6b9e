import { testEnv } from '@orch/machinery/testing';
import { describeStore } from '../conformance/index.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

async function open() {
  const dir = await tempDir('orch-embedded-');
  const env = testEnv();
  const store = await openEmbeddedStore({ dir: dir.path, env });
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

describeStore('embedded', open);
