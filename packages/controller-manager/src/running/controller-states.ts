import { type CheckResult, type HealthCheck, healthy, unhealthy } from '@orch/program';

/** How a controller fares. */
export type ControllerState =
  /** Another manager leads, or the start is not there yet. */
  | { readonly is: 'waiting' }
  /** It has nothing to do with these settings. */
  | { readonly is: 'idle'; readonly why: string }
  /** Reads what there is. */
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

  /** From now on the state is what `read` says. */
  follow(name: string, read: () => ControllerState): void {
    this.#states.set(name, read);
  }

  set(name: string, state: ControllerState): void {
    this.follow(name, () => state);
  }

  /** Names of those that have not read what there is. */
  starting(): readonly string[] {
    return [...this.#states].filter(([, read]) => read().is === 'starting').map(([name]) => name);
  }

  /** Names of those that have failed. */
  failed(): readonly string[] {
    return [...this.#states].filter(([, read]) => read().is === 'failed').map(([name]) => name);
  }

  /** One check for each controller, and one that all have read what there is. */
  checks(): readonly HealthCheck[] {
    const each = [...this.#states.keys()].map(
      (name): HealthCheck => ({ name, run: () => resultOf(this.of(name)) }),
    );
    return [...each, { name: 'informer-sync', only: ['readyz'], run: () => this.#synced() }];
  }

  #synced(): CheckResult {
    const missing = this.starting();
    return missing.length === 0 ? healthy : unhealthy(`not read everything yet: ${missing.join(', ')}`);
  }
}

const waiting: ControllerState = { is: 'waiting' };

const resultOf = (state: ControllerState): CheckResult =>
  state.is === 'failed' ? unhealthy(state.why) : healthy;
