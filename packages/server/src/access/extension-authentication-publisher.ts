import { X509Certificate } from 'node:crypto';
import { asStrings, sleep, withDeadline } from '@orch/machinery';
import type { ServerContext } from '@orch/registry';
import { type ConfigData, keepSystemConfigMap } from './system-config-map.ts';

/** How this server authenticates clients, for extension API servers behind it. */
export interface ClusterAuthenticationInfo {
  /** Certificate authorities for client certificates, one PEM certificate each. */
  readonly clients: readonly string[];
  /** Authentication by a front proxy; undefined when there is none. */
  readonly proxies:
    | {
        readonly authorities: readonly string[];
        readonly usernameHeaders: readonly string[];
        readonly groupHeaders: readonly string[];
        readonly extraHeaderPrefixes: readonly string[];
        readonly allowedNames: readonly string[];
      }
    | undefined;
}

/** Interval at which the config map is compared. */
const INTERVAL_MS = 60_000;
const WRITE_MS = 10_000;
/** Maximum number of certificates of other replicas; the certificates of this server are always included. */
const MAX_CERTIFICATES = 100;

const CERTIFICATE_PATTERN = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Publishes the config map in the system namespace from which extension API servers read how clients are authenticated.
 * Entries of other replicas are kept; expired certificates are removed.
 */
export class ExtensionAuthenticationPublisher {
  readonly #context: ServerContext;
  readonly #info: () => ClusterAuthenticationInfo;

  constructor(context: ServerContext, info: () => ClusterAuthenticationInfo) {
    this.#context = context;
    this.#info = info;
  }

  /** Writes the config map if it is incomplete. Failures are logged and retried at the next interval. */
  async publish(signal: AbortSignal): Promise<void> {
    const { env, names } = this.#context;
    const { clock, log } = env;
    try {
      using limit = withDeadline(signal, clock, WRITE_MS);
      const info = this.#info();
      const wanted = (data: ConfigData): ConfigData => merged(data, info, clock.now());
      const name = names.objects.extensionAuthentication;
      await keepSystemConfigMap(this.#context, { name, wanted }, limit.signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn('publishing the authentication configuration for extension API servers failed', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** Publishes at intervals; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#context.env.clock, INTERVAL_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.publish(signal);
    }
  }
}

/** Merges the configuration of this server into the stored data; unrelated keys are kept. */
export function merged(
  data: ConfigData,
  { clients, proxies }: ClusterAuthenticationInfo,
  now: number,
): ConfigData {
  const bundle = (key: string, ours: readonly string[]): ConfigData => {
    const all = bundleOf(data[key] ?? '', ours, now);
    return all === '' ? {} : { [key]: all };
  };
  const list = (key: string, ours: readonly string[]): ConfigData => ({
    [key]: JSON.stringify([...new Set([...listOf(data[key]), ...ours])]),
  });
  return {
    ...data,
    ...bundle('client-ca-file', clients),
    ...(proxies === undefined
      ? {}
      : {
          ...bundle('requestheader-client-ca-file', proxies.authorities),
          ...list('requestheader-username-headers', proxies.usernameHeaders),
          ...list('requestheader-group-headers', proxies.groupHeaders),
          ...list('requestheader-extra-headers-prefix', proxies.extraHeaderPrefixes),
          ...list('requestheader-allowed-names', proxies.allowedNames),
        }),
  };
}

function bundleOf(text: string, ours: readonly string[], now: number): string {
  const own = ours.map((pem) => pem.trim());
  const others = [...new Set(text.match(CERTIFICATE_PATTERN))].filter(
    (pem) => !own.includes(pem) && isValid(pem, now),
  );
  const all = [...others.slice(0, MAX_CERTIFICATES), ...own].sort();
  return all.length === 0 ? '' : `${all.join('\n')}\n`;
}

/** False for certificates that cannot be decoded or have expired. */
function isValid(pem: string, now: number): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) > now;
  } catch {
    return false;
  }
}

function listOf(text: string | undefined): readonly string[] {
  try {
    return asStrings(JSON.parse(text ?? '[]'));
  } catch {
    return [];
  }
}
