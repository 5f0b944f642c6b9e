import { X509Certificate } from 'node:crypto';
import { asStrings, sleep, withDeadline } from '@orch/machinery';
import type { ServerContext } from '@orch/registry';
import { type ConfigData, keepSystemConfigMap } from './system-config-map.ts';

/** Whom this server believes who a client is, for servers that stand behind it. */
export interface ClientTrustFacts {
  /** Authorities of client certificates, one certificate in PEM each. */
  readonly clients: readonly string[];
  /** What a proxy in front may say, and how; undefined when none may. */
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

/** How often the object is looked at. */
const INTERVAL_MS = 60_000;
const WRITE_MS = 10_000;
/** Certificates that are kept of others at most: those of this server are always there. */
const MAX_CERTIFICATES = 100;

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * A config map in the namespace of the system that says whom this server and its replicas believe who a client is.
 * Extension servers read it, to believe the same. What other replicas say stays, as long as it has not expired.
 */
export class ClientTrustMap {
  readonly #context: ServerContext;
  readonly #said: () => ClientTrustFacts;

  constructor(context: ServerContext, said: () => ClientTrustFacts) {
    this.#context = context;
    this.#said = said;
  }

  /** Writes what there is to say, where it is not said already. What fails is logged: others can do without for a while. */
  async publish(signal: AbortSignal): Promise<void> {
    const { env, names } = this.#context;
    const { clock, log } = env;
    try {
      using limit = withDeadline(signal, clock, WRITE_MS);
      const said = this.#said();
      const wanted = (data: ConfigData): ConfigData => merged(data, said, clock.now());
      const name = names.objects.extensionAuthentication;
      await keepSystemConfigMap(this.#context, { name, wanted }, limit.signal);
    } catch (error) {
      if (signal.aborted) return;
      log.warn('extension servers could not be told whom to trust', {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  /** Goes on doing so; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#context.env.clock, INTERVAL_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.publish(signal);
    }
  }
}

/** What is said together with what was; members that are about something else stay as they are. */
export function merged(data: ConfigData, { clients, proxies }: ClientTrustFacts, now: number): ConfigData {
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
  const others = [...new Set(text.match(block))].filter((pem) => !own.includes(pem) && isValid(pem, now));
  const all = [...others.slice(0, MAX_CERTIFICATES), ...own].sort();
  return all.length === 0 ? '' : `${all.join('\n')}\n`;
}

/** What cannot be read, or has expired, helps nobody. */
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
