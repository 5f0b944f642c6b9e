import { after, before, type TestContext, test } from 'node:test';
import type { ControlPlane } from '../options.ts';
import { type SuiteOptions, SuitePlane } from './suite-plane.ts';

export type { SuiteOptions } from './suite-plane.ts';

/** Declares a test that gets a control plane in the state after the start. */
export type PlaneTest = (
  title: string,
  body: (plane: ControlPlane, context: TestContext) => unknown,
) => Promise<void>;

/**
 * Starts a control plane before the tests of this file, or of the `describe` around the call, and stops it after them. The result
 * declares their tests.
 */
export function controlPlaneTests(options: SuiteOptions = {}): PlaneTest {
  let suite: SuitePlane | undefined;
  before(async () => {
    suite = await SuitePlane.start(options);
  });
  after(() => suite?.[Symbol.asyncDispose]());
  return (title, body) =>
    test(title, async (context) => {
      if (suite === undefined) throw new TypeError('the control plane has not started');
      await using fresh = await suite.fresh();
      await body(fresh.plane, context);
    });
}
