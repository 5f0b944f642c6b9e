/**
 * Loaded into every test process before the test runner of Node: replaces how that finds the test that caused an error outside of all
 * tests, such as one in a timer. Node follows every promise and resource with hooks, which cost an eighth of the CPU time
 * of tests with many promises. The test is a value of the asynchronous context instead, which costs nothing for each promise.
 */
import asyncHooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

type Init = NonNullable<HookCallbacks['init']>;

/** The identifier of the running test. */
const current = new AsyncLocalStorage<number>();
const { createHook, executionAsyncId } = asyncHooks;
const { runInAsyncScope } = AsyncResource.prototype;
const unused: ReturnType<typeof createHook> = { enable: () => unused, disable: () => unused };
/** Tells the test runner about a test. */
let announce: Init | undefined;

/** Hooks of programs and tests are those of Node. */
function createHookOfRunner(callbacks: HookCallbacks): ReturnType<typeof createHook> {
  const { stack = '' } = new Error('the caller');
  if (callbacks.init === undefined || !stack.includes('(node:internal/test_runner/'))
    return createHook(callbacks);
  announce = callbacks.init;
  return unused;
}

function runInTest(
  this: AsyncResource,
  fn: (...args: never[]) => unknown,
  thisArg?: unknown,
  ...args: unknown[]
): unknown {
  if (announce === undefined || !isTest(this))
    return Reflect.apply(runInAsyncScope, this, [fn, thisArg, ...args]);
  const id = this.asyncId();
  announce(id, 'Test', 0, this);
  // Within the scope: a resource brings the context of its creation.
  const inTest = (...given: unknown[]): unknown => current.run(id, () => Reflect.apply(fn, thisArg, given));
  return Reflect.apply(runInAsyncScope, this, [inTest, undefined, ...args]);
}

/** Tests, suites and hooks of the test runner. */
const isTest = (resource: object): boolean => 'nesting' in resource && 'reporter' in resource;

if (isMainThread) {
  asyncHooks.createHook = createHookOfRunner;
  asyncHooks.executionAsyncId = () => current.getStore() ?? executionAsyncId();
  AsyncResource.prototype.runInAsyncScope = runInTest as typeof runInAsyncScope;
  syncBuiltinESMExports();
}
