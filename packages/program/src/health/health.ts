import type { Clock, Logger } from '@orch/machinery';
import {
  type HealthCheck,
  type HealthChecks,
  type HealthEndpoint,
  healthEndpoints,
  healthy,
} from './checks.ts';
import { type HealthQuery, reportCheck, reportHealth } from './report.ts';

export interface HealthOptions {
  readonly checks: HealthChecks;
  readonly clock: Clock;
  readonly log: Logger;
  /** `--livez-grace-period`: how long after the start its steps may fail on `livez`. */
  readonly livezGraceMs: number;
}

export interface HealthAnswer {
  readonly status: 200 | 404 | 500;
  readonly text: string;
}

/** Answers health requests of any port: takes the path and query as sent, and returns plain text. */
export class Health {
  readonly #options: HealthOptions;
  readonly #graceUntil: number;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#graceUntil = options.clock.monotonic() + options.livezGraceMs;
  }

  /** `path` is `/<endpoint>` or `/<endpoint>/<check>`; the name of a check may contain slashes. */
  async answer(path: string, rawQuery: string, signal: AbortSignal): Promise<HealthAnswer> {
    const endpoint = healthEndpoints.find((one) => path === `/${one}` || path.startsWith(`/${one}/`));
    if (endpoint === undefined) return { status: 404, text: '404 page not found\n' };
    const name = path.slice(endpoint.length + 2);
    const checks = this.#checks(endpoint);
    const one = checks.find((check) => check.name === name);
    if (name !== '' && one === undefined) return { status: 404, text: '404 page not found\n' };
    const context = { clock: this.#options.clock, signal };
    const report =
      one === undefined
        ? await reportHealth(checks, queryOf(endpoint, rawQuery), context)
        : await reportCheck(one, context);
    for (const failure of report.failures)
      this.#options.log.warn('health check failed', { endpoint, ...failure });
    return { status: report.ok ? 200 : 500, text: report.text };
  }

  /** During the grace period, steps of the start are listed and reported as healthy. */
  #checks(endpoint: HealthEndpoint): readonly HealthCheck[] {
    const checks = this.#options.checks.of(endpoint);
    const isGrace = endpoint === 'livez' && this.#options.clock.monotonic() < this.#graceUntil;
    if (!isGrace) return checks;
    return checks.map((check) =>
      check.isStartStep === true ? { name: check.name, run: () => healthy } : check,
    );
  }
}

function queryOf(endpoint: HealthEndpoint, rawQuery: string): HealthQuery {
  const query = new URLSearchParams(rawQuery);
  return { endpoint, verbose: query.has('verbose'), exclude: query.getAll('exclude') };
}
