/** The result of a check. `reason` goes to the log; clients only learn that the check failed. */
export type CheckResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export const healthy: CheckResult = Object.freeze({ ok: true });
export const unhealthy = (reason: string): CheckResult => ({ ok: false, reason });

/** The endpoints that run checks. `healthz` is the old name of liveness, kept for its users. */
export type HealthEndpoint = 'livez' | 'readyz' | 'healthz';

export const healthEndpoints: readonly HealthEndpoint[] = ['livez', 'readyz', 'healthz'];

/** A health check. Its name appears in paths and in verbose output. */
export interface HealthCheck {
  readonly name: string;
  /** The endpoints that run it; all of them when absent. */
  readonly only?: readonly HealthEndpoint[];
  /** A step of the start: it may fail on `livez` until the grace period of the start is over. */
  readonly isStartStep?: boolean;
  /** A failure appears in verbose output and fails this check when it is requested alone, but not the endpoint. */
  readonly isNotice?: boolean;
  /** Must finish within `checkTimeoutMs`. A rejection is a failure. */
  run(signal: AbortSignal): CheckResult | Promise<CheckResult>;
}

/** A check that fails until its step of the start is done: `poststarthook/…`. */
export class StartStep implements HealthCheck {
  readonly name: string;
  readonly isStartStep = true;
  #isDone = false;

  constructor(name: string) {
    this.name = name;
  }

  done(): void {
    this.#isDone = true;
  }

  run(): CheckResult {
    return this.#isDone ? healthy : unhealthy('not finished');
  }
}

/** The checks of a process, in the order of their lines in verbose output. */
export class HealthChecks {
  readonly #checks: HealthCheck[] = [];

  /** Throws `TypeError` when the name is taken. */
  add(check: HealthCheck): this {
    if (this.#checks.some((one) => one.name === check.name))
      throw new TypeError(`health check ${check.name} is declared twice`);
    this.#checks.push(check);
    return this;
  }

  of(endpoint: HealthEndpoint): readonly HealthCheck[] {
    return this.#checks.filter((check) => check.only === undefined || check.only.includes(endpoint));
  }
}
