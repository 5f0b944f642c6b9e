import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testEnv } from '@orch/machinery/testing';
import { describeStore } from '../conformance/index.ts';
import { openEmbeddedStore } from './open-embedded-store.ts';

async function open() {
  const dir = await mkdtemp(join(tmpdir(), 'orch-embedded-'));
  const env = testEnv();
  const store = await openEmbeddedStore({ dir, env });
  const abort = new AbortController();
  return {
    store,
    signal: abort.signal,
    advance: (ms: number) => env.clock.advance(ms),
    async [Symbol.asyncDispose]() {
      abort.abort();
      await store.close();
      await rm(dir, { recursive: true });
    },
  };
}

describeStore('embedded', open);
