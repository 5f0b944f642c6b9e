import type { ControlPlane, ControlPlaneOptions } from '../options.ts';
import { startControlPlane } from '../start-control-plane.ts';

/** The control plane of a test file, and how each test gets a fresh state. */
export interface SuiteOptions extends ControlPlaneOptions {
  /**
   * How each test gets a fresh state. `fork`, the default: by a control plane that is a fork, so that tests may run in parallel.
   * `reset`: by a reset of the one control plane, which costs less, for tests that run one after another.
   */
  readonly fresh?: 'fork' | 'reset';
}

/** The control plane of one test, and its end. */
export interface FreshPlane extends AsyncDisposable {
  readonly plane: ControlPlane;
}

/** The control plane of the tests of one file or worker. */
export class SuitePlane implements AsyncDisposable {
  readonly #plane: ControlPlane;
  readonly #fresh: NonNullable<SuiteOptions['fresh']>;

  private constructor(plane: ControlPlane, fresh: NonNullable<SuiteOptions['fresh']>) {
    this.#plane = plane;
    this.#fresh = fresh;
  }

  static async start({ fresh = 'fork', ...options }: SuiteOptions): Promise<SuitePlane> {
    const forks = fresh === 'fork' ? 1 : 0;
    return new SuitePlane(await startControlPlane({ forks, ...options }), fresh);
  }

  /** A control plane in the state after the start. */
  async fresh(): Promise<FreshPlane> {
    if (this.#fresh === 'fork') {
      const plane = await this.#plane.fork();
      return { plane, [Symbol.asyncDispose]: () => plane.stop() };
    }
    await this.#plane.reset();
    return { plane: this.#plane, [Symbol.asyncDispose]: async () => undefined };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#plane.stop();
  }
}
