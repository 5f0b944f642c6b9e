import { messageOf } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { runRounds } from '@orch/machinery/queue';
import type { ServerContext } from '@orch/registry';
import { type ClusterAuthenticationInfo, isProxyRefused, merged } from './authentication-data.ts';
import { type ConfigData, keepSystemConfigMap } from './system-config-map.ts';

/** The published information. */
export interface AuthenticationSource {
  read(signal: AbortSignal): Promise<ClusterAuthenticationInfo>;
  /** Called when all data that was read is in the config map. */
  published(signal: AbortSignal): Promise<void>;
}

/** Interval at which the config map is compared. */
const INTERVAL_MS = 60_000;
const WRITE_MS = 10_000;

const failed = 'publishing the authentication configuration for extension API servers failed';
const refused =
  'extension API servers do not accept requests of this server: others have a front proxy, whose authority they publish instead of the generated one; give all servers the same --requestheader-client-ca-file and --proxy-client-cert-file, or none';

/**
 * Publishes the config map in the system namespace from which extension API servers read how clients are authenticated.
 * Entries of other replicas are kept; expired certificates are removed.
 */
export class ExtensionAuthenticationPublisher {
  readonly #context: ServerContext;
  readonly #source: AuthenticationSource;
  #isRefused = false;

  constructor(context: ServerContext, source: AuthenticationSource) {
    this.#context = context;
    this.#source = source;
  }

  /** Writes the config map if it is incomplete. Failures are logged and retried at the next interval. */
  async publish(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context.env;
    try {
      using limit = withDeadline(signal, clock, WRITE_MS);
      await this.#publish(limit.signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn(failed, { error: messageOf(error) });
    }
  }

  /** Publishes at intervals; returns when the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return runRounds(
      {
        env: this.#context.env,
        name: 'extension_authentication',
        failed,
        intervalMs: INTERVAL_MS,
        firstAfterMs: INTERVAL_MS,
        deadlineMs: WRITE_MS,
        round: (until) => this.#publish(until),
      },
      signal,
    );
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { env, names } = this.#context;
    const info = await this.#source.read(signal);
    let isRefused = false;
    const wanted = (data: ConfigData): ConfigData => {
      isRefused = isProxyRefused(data, info, env.clock.now());
      return merged(data, info, env.clock.now());
    };
    await keepSystemConfigMap(this.#context, { name: names.objects.extensionAuthentication, wanted }, signal);
    await this.#source.published(signal);
    if (isRefused && !this.#isRefused) env.log.error(refused);
    this.#isRefused = isRefused;
  }
}
