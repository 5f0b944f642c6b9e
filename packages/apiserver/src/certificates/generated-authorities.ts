import { createHash, X509Certificate } from 'node:crypto';
import type { Env } from '@orch/machinery';
import { readCertificates } from '@orch/pki/x509';
import type { Store } from '@orch/storage';
import { type SharedRecord, SharedRecords } from '../storage/shared-records.ts';

export interface GeneratedAuthoritiesOptions {
  readonly store: Pick<Store, 'get' | 'list' | 'commit'>;
  /** Prefix of the keys in the store; ends with a slash. */
  readonly prefix: string;
  readonly env: Pick<Env, 'clock' | 'log'>;
  /** The authority of this server, PEM; undefined when it has generated none. */
  readonly own: string | undefined;
  /** For messages. */
  readonly title: string;
}

/** Time without a server after which an authority is removed. */
const EXPIRY_MS = 30 * 24 * 3_600_000;
const RENEWAL_MS = 3_600_000;

/**
 * Most authorities that are kept, those that were renewed last. A server that generates another one at each start, since
 * nothing keeps its files, would otherwise let what is published grow beyond the size of a config map.
 */
const MOST_AUTHORITIES = 200;

/**
 * Authorities that servers of a cluster generated for one purpose. Each server publishes its own in the store, and renews it
 * every hour.
 */
export class GeneratedAuthorities {
  readonly #options: GeneratedAuthoritiesOptions;
  readonly #records: SharedRecords;
  #expired: readonly SharedRecord[] = [];

  constructor(options: GeneratedAuthoritiesOptions) {
    this.#options = options;
    this.#records = new SharedRecords({ ...options, expiryMs: EXPIRY_MS, renewalMs: RENEWAL_MS });
  }

  /** Publishes the server's authority, and reads those of all servers. */
  async exchange(
    signal: AbortSignal,
  ): Promise<{ readonly current: readonly string[]; readonly expired: readonly string[] }> {
    const { own, env } = this.#options;
    if (own !== undefined) await this.#records.publish(idOf(own), { certificate: own }, signal);
    const records = await this.#records.read(signal);
    const byAge = [...records.current].sort((one, other) => other.seenAt - one.seenAt);
    const current = byAge.slice(0, MOST_AUTHORITIES);
    const expired = [...records.expired, ...byAge.slice(MOST_AUTHORITIES)];
    this.#expired = expired;
    const now = env.clock.now();
    const certificates = (records: readonly SharedRecord[]): readonly string[] =>
      records.flatMap((record) => certificateIn(record, now) ?? []);
    return { current: certificates(current), expired: certificates(expired) };
  }

  /** Removes the records that the last exchange found expired. */
  async removeExpired(signal: AbortSignal): Promise<void> {
    const { env, title } = this.#options;
    for (const record of this.#expired) {
      await this.#records.remove(record, signal);
      env.log.info(
        `an authority of ${title} was removed: no server has renewed it for long, or there are too many`,
        {
          key: record.stored.key,
        },
      );
    }
    this.#expired = [];
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
