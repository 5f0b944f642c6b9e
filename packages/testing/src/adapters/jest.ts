import type { ControlPlane } from '../options.ts';
import { type FreshPlane, type SuiteOptions, SuitePlane } from './suite-plane.ts';

export type { SuiteOptions } from './suite-plane.ts';

type Hook = (work: () => Promise<void>, timeoutMs?: number) => void;

/** The hooks of jest, which are global or imported from `@jest/globals`. */
export interface JestHooks {
  readonly beforeAll: Hook;
  readonly afterAll: Hook;
  readonly beforeEach: Hook;
  readonly afterEach: Hook;
}

/** The first start in a process loads the server, which takes longer than jest waits by default. */
const START_MS = 60_000;

/**
 * Starts a control plane before the tests of this file, or of the `describe` around the call, and stops it after them. The result
 * is the control plane of the current test, in the state after the start. Throws a TypeError outside of jest, without hooks, and in an
 * environment whose errors and bytes are not those of Node (see the README).
 */
export function useControlPlane(
  options: SuiteOptions = {},
  hooks: JestHooks = globalHooks(),
): () => ControlPlane {
  if (!(Buffer.alloc(0) instanceof Uint8Array))
    throw new TypeError('the test environment of jest must have the globals Error and Uint8Array of Node');
  let suite: SuitePlane | undefined;
  let fresh: FreshPlane | undefined;
  hooks.beforeAll(async () => {
    suite = await SuitePlane.start(options);
  }, START_MS);
  hooks.beforeEach(async () => {
    fresh = await suite?.fresh();
  }, START_MS);
  hooks.afterEach(async () => {
    await fresh?.[Symbol.asyncDispose]();
    fresh = undefined;
  }, START_MS);
  hooks.afterAll(async () => {
    await suite?.[Symbol.asyncDispose]();
  }, START_MS);
  return () => {
    if (fresh === undefined) throw new TypeError('the control plane exists in tests only');
    return fresh.plane;
  };
}

function globalHooks(): JestHooks {
  const hooks = globalThis as unknown as Partial<JestHooks>;
  const { beforeAll, afterAll, beforeEach, afterEach } = hooks;
  if (!beforeAll || !afterAll || !beforeEach || !afterEach)
    throw new TypeError('there are no global hooks of jest: pass those of @jest/globals');
  return { beforeAll, afterAll, beforeEach, afterEach };
}
