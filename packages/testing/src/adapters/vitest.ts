import type { ControlPlane } from '../options.ts';
import { type SuiteOptions, SuitePlane } from './suite-plane.ts';

export type { SuiteOptions } from './suite-plane.ts';

type Use<T> = (value: T) => Promise<void>;

/** Fixtures for `test.extend` of vitest. */
export interface PlaneFixtures {
  /** The control plane of the worker. */
  readonly suite: [(fixtures: object, use: Use<SuitePlane>) => Promise<void>, { scope: 'worker' }];
  /** The control plane of the test, in the state after the start. */
  readonly plane: (fixtures: { readonly suite: SuitePlane }, use: Use<ControlPlane>) => Promise<void>;
}

/** Fixtures with one control plane for each worker, and a fresh state for each test that uses `plane`. */
export const controlPlaneFixtures = (options: SuiteOptions = {}): PlaneFixtures => ({
  suite: [
    // Vitest reads the names of the fixtures that a fixture needs from its source.
    // biome-ignore lint/correctness/noEmptyPattern: none are needed.
    async ({}, use) => {
      await using suite = await SuitePlane.start(options);
      await use(suite);
    },
    { scope: 'worker' },
  ],
  plane: async ({ suite }, use) => {
    await using fresh = await suite.fresh();
    await use(fresh.plane);
  },
});
