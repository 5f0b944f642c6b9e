import { type CheckResult, type HealthCheck, healthy, unhealthy } from '@orch/program';

/** The state of a controller. */
export type ControllerState =
  /** Another manager leads, or it has not started yet. */
  | { readonly is: 'waiting' }
  /** The settings disable it. */
  | { readonly is: 'idle'; readonly why: string }
  /** It reads the initial objects. */
  | { readonly is: 'starting' }
  | { readonly is: 'working' }
  | { readonly is: 'failed'; readonly why: string };

/** The states of all controllers of a process, for its health. */
export class ControllerStates {
  readonly #states: Map<string, () => ControllerState>;

  constructor(names: readonly string[]) {
    this.#states = new Map(names.map((name) => [name, () => waiting]));
  }

  of(name: string): ControllerState {
    return this.#states.get(name)?.() ?? waiting;
  }

  /** The state is the result of `read` from now on. */
  observe(name: string, read: () => ControllerState): void {
    this.#states.set(name, read);
  }

  set(name: string, state: ControllerState): void {
    this.observe(name, () => state);
  }

  /** Names of controllers that have not read the initial objects. */
  starting(): readonly string[] {
    return [...this.#states].filter(([, read]) => read().is === 'starting').map(([name]) => name);
  }

  /** Reports whether each controller has read the initial objects or has ended. */
  get haveStarted(): boolean {
    return [...this.#states.values()].every((read) => read().is !== 'waiting' && read().is !== 'starting');
  }

  /** Names of failed controllers. */
  failed(): readonly string[] {
    return [...this.#states].filter(([, read]) => read().is === 'failed').map(([name]) => name);
  }

  /** One check per controller, and one for the initial objects of all. */
  checks(): readonly HealthCheck[] {
    const each = [...this.#states.keys()].map(
      (name): HealthCheck => ({ name, run: () => resultOf(this.of(name)) }),
    );
    return [...each, { name: 'informer-sync', only: ['readyz'], run: () => this.#synced() }];
  }

  #synced(): CheckResult {
    const starting = this.starting();
    return starting.length === 0 ? healthy : unhealthy(`not synced: ${starting.join(', ')}`);
  }
}

const waiting: ControllerState = { is: 'waiting' };

const resultOf = (state: ControllerState): CheckResult =>
  state.is === 'failed' ? unhealthy(state.why) : healthy;
