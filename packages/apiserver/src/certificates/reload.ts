import type { Listener, NamedTls, ServingTls } from '@orch/http';
import { type Env, messageOf } from '@orch/machinery';
import type { KeyPair } from '@orch/pki/x509';
import type { ClientTrust } from '../authentication/client-trust.ts';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { WatchedFiles } from '../reload/watched-files.ts';
import type { ServingSettings } from '../settings/serving-settings.ts';
import { namedCertificates } from './named-certificates.ts';
import { type Certificates, givenServing } from './serving.ts';
import { ticketSecret } from './ticket-secret.ts';

interface TlsParts extends Pick<Certificates, 'serving'> {
  readonly trust: ClientTrust;
  readonly settings: ServingSettings;
  readonly ticketSecret: Uint8Array;
  /** Those of the settings when absent. */
  readonly named?: readonly NamedTls[];
}

/** TLS settings of new connections. */
export const servingTls = ({
  serving,
  trust,
  settings: { minVersion, ciphers, named: files },
  ticketSecret: secret,
  named = namedCertificates(files),
}: TlsParts): ServingTls => ({
  ...serving,
  clientCa: trust.authorities,
  minVersion,
  ciphers,
  named,
  ticketSecret: secret,
});

interface Reloading {
  readonly flags: Pick<ApiServerFlags, 'tlsCertFile' | 'tlsPrivateKeyFile' | 'tlsSessionTicketKeyFile'>;
  readonly settings: ServingSettings;
  readonly certificates: Certificates;
  /** The secret of session tickets of this process. */
  readonly ticketsOfProcess: SharedArrayBuffer;
  readonly trust: ClientTrust;
  readonly listener: Listener;
  readonly env: Env;
}

/**
 * The serving certificate, and the authorities of clients and proxies. New connections use the current content; certificates
 * without a trusted authority are refused on open connections as well. Invalid files, such as a certificate without its new key,
 * have no effect until they are valid.
 */
export class ServedCertificates {
  readonly #parts: Reloading;
  #serving: KeyPair;
  /** The certificates for server names, in the order of the flag: the last valid one of each. */
  #named: readonly NamedTls[];
  #ticketSecret: Uint8Array;

  constructor(parts: Reloading) {
    this.#parts = parts;
    this.#serving = parts.certificates.serving;
    this.#named = namedCertificates(parts.settings.named);
    this.#ticketSecret = ticketSecret(parts.flags, parts.ticketsOfProcess);
  }

  /** Uses another generated certificate. */
  renew(serving: KeyPair): void {
    const { listener, trust, settings } = this.#parts;
    const [named, secret] = [this.#named, this.#ticketSecret];
    listener.replaceTls(servingTls({ serving, trust, settings, named, ticketSecret: secret }));
    this.#serving = serving;
  }

  /** Reloads the files of the flags when they change, until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    const { flags, trust, settings, env } = this.#parts;
    const named = settings.named.flatMap(({ certFile, keyFile }) => [certFile, keyFile]);
    const { tlsCertFile, tlsPrivateKeyFile, tlsSessionTicketKeyFile } = flags;
    const files = [
      ...[tlsCertFile, tlsPrivateKeyFile, tlsSessionTicketKeyFile],
      ...named,
      ...trust.files,
    ].filter((path) => path !== '');
    return new WatchedFiles(files).watch(env.clock, () => this.#reload(), signal);
  }

  #reload(): boolean {
    const { flags, trust, settings, env } = this.#parts;
    // Each separately: an invalid pair must not keep a removed authority trusted.
    this.#attempt(() => trust.reload());
    this.#attempt(() => {
      this.#serving = givenServing(flags) ?? this.#serving;
    });
    for (const [at, files] of settings.named.entries())
      this.#attempt(() => {
        const [reloaded] = namedCertificates([files]);
        if (reloaded !== undefined) this.#named = this.#named.with(at, reloaded);
      });
    this.#attempt(() => {
      this.#ticketSecret = ticketSecret(flags, this.#parts.ticketsOfProcess);
    });
    this.#attempt(() => {
      this.renew(this.#serving);
      env.log.info('certificates were reloaded');
    });
    return true;
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.env.log.error('certificates cannot be used; keeping the previous ones', {
        error: messageOf(error),
      });
    }
  }
}
