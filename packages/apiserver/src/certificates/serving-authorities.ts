import { type Env, messageOf, type Names } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { runRounds } from '@orch/machinery/queue';
import type { Api } from '@orch/server';
import type { Store } from '@orch/storage';
import { GeneratedAuthorities } from './generated-authorities.ts';

export interface ServingAuthoritiesOptions {
  readonly store: Pick<Store, 'get' | 'list' | 'commit'>;
  /** Prefix of the keys in the store; ends with a slash. */
  readonly prefix: string;
  /** The authority of this server's certificate, PEM; undefined when the operator provides the certificate. */
  readonly own: string | undefined;
  readonly names: Names;
  readonly env: Env;
  readonly registry: Pick<Api, 'keepSystemConfigMap'>;
}

const ROUND_MS = 60_000;
const DEADLINE_MS = 10_000;

const failed = 'the authorities of serving certificates cannot be published';

/**
 * The authorities that servers of a cluster generated for their serving certificates. Each server publishes its
 * authority in the store, before it is ready and then every hour, and all servers update a config map with all authorities,
 * from which controllers publish them in every namespace.
 */
export class ServingAuthorities {
  readonly #options: ServingAuthoritiesOptions;
  readonly #authorities: GeneratedAuthorities;

  constructor(options: ServingAuthoritiesOptions) {
    this.#options = options;
    this.#authorities = new GeneratedAuthorities({ ...options, title: 'serving certificates' });
  }

  /** Publishes the server's authority. Failures are logged, and retried by `run`. */
  async publish(signal: AbortSignal): Promise<void> {
    const { env } = this.#options;
    try {
      using deadline = withDeadline(signal, env.clock, DEADLINE_MS);
      await this.#publish(deadline.signal);
    } catch (error) {
      if (signal.aborted) return;
      env.log.warn(failed, { error: messageOf(error) });
    }
  }

  /** Publishes periodically; returns when the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return runRounds(
      {
        env: this.#options.env,
        name: 'serving_authorities',
        failed,
        intervalMs: ROUND_MS,
        firstAfterMs: ROUND_MS,
        deadlineMs: DEADLINE_MS,
        round: (until) => this.#publish(until),
      },
      signal,
    );
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { registry, names } = this.#options;
    const { current } = await this.#authorities.exchange(signal);
    await this.#authorities.removeExpired(signal);
    const data = current.length === 0 ? {} : { 'ca.crt': current.join('') };
    const wanted = (): Readonly<Record<string, string>> => data;
    await registry.keepSystemConfigMap({ name: names.objects.servingAuthorities, wanted }, signal);
  }
}
