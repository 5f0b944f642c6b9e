import { createHash, X509Certificate } from 'node:crypto';
import { type Env, messageOf, type Names, sleep, withDeadline } from '@orch/machinery';
import { readCertificates } from '@orch/pki/x509';
import type { Api } from '@orch/server';
import type { Store } from '@orch/storage';
import { type SharedRecord, SharedRecords } from '../storage/shared-records.ts';

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

/** Time without a server after which an authority is removed. */
const EXPIRY_MS = 30 * 24 * 3_600_000;
const ROUND_MS = 60_000;
const DEADLINE_MS = 10_000;

/**
 * The authorities that servers of a cluster generated for their serving certificates. Each server publishes its
 * authority in the store, before it is ready and then daily, and all servers update a config map with all authorities,
 * from which controllers publish them in every namespace.
 */
export class ServingAuthorities {
  readonly #options: ServingAuthoritiesOptions;
  readonly #records: SharedRecords;

  constructor(options: ServingAuthoritiesOptions) {
    this.#options = options;
    this.#records = new SharedRecords({ ...options, expiryMs: EXPIRY_MS });
  }

  /** Publishes the server's authority. Failures are logged, and retried by `run`. */
  async publish(signal: AbortSignal): Promise<void> {
    const { env } = this.#options;
    try {
      using deadline = withDeadline(signal, env.clock, DEADLINE_MS);
      await this.#publish(deadline.signal);
    } catch (error) {
      if (signal.aborted) return;
      env.log.warn('the authorities of serving certificates cannot be published', {
        error: messageOf(error),
      });
    }
  }

  /** Publishes periodically; returns when the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#options.env.clock, ROUND_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.publish(signal);
    }
  }

  async #publish(signal: AbortSignal): Promise<void> {
    const { own, registry, names, env } = this.#options;
    if (own !== undefined) await this.#records.publish(idOf(own), { certificate: own }, signal);
    const { current, expired } = await this.#records.read(signal);
    for (const record of expired) {
      await this.#records.remove(record, signal);
      env.log.info('an authority of serving certificates was removed: no server has used it for long', {
        key: record.stored.key,
      });
    }
    const now = env.clock.now();
    const valid = current.flatMap((record) => certificateIn(record, now) ?? []);
    const data = valid.length === 0 ? {} : { 'ca.crt': valid.join('') };
    const wanted = (): Readonly<Record<string, string>> => data;
    await registry.keepSystemConfigMap({ name: names.objects.servingAuthorities, wanted }, signal);
  }
}

const idOf = (pem: string): string => createHash('sha256').update(pem).digest('hex');

/** Undefined for a record without a certificate, with the wrong id, or with an expired one. */
function certificateIn({ id, content: { certificate } }: SharedRecord, now: number): string | undefined {
  if (typeof certificate !== 'string' || idOf(certificate) !== id) return undefined;
  if (typeof readCertificates(certificate) === 'string') return undefined;
  if (Date.parse(new X509Certificate(certificate).validTo) <= now) return undefined;
  return certificate.endsWith('\n') ? certificate : `${certificate}\n`;
}
