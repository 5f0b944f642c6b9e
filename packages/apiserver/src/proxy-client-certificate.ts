import { type Env, messageOf } from '@orch/machinery';
import { watchFiles } from './certificates/file-changes.ts';
import { type ClientKeyPair, readClientKeyPair } from './client-key-pair.ts';
import type { ApiServerFlags } from './flags/api-server-flags.ts';

type Flags = Pick<ApiServerFlags, 'proxyClientCertFile' | 'proxyClientKeyFile'>;

/** The client certificate with which this server proves to extension API servers that it is their proxy. */
export class ProxyClientCertificate {
  readonly #flags: Flags;
  #current: ClientKeyPair | undefined;

  /** Reads the files of the flags; throws `StartError`. */
  constructor(flags: Flags) {
    this.#flags = flags;
    this.#current = read(flags);
  }

  /** Uses a generated certificate when the flags name none. */
  addOwn(pair: ClientKeyPair): void {
    this.#current ??= pair;
  }

  /** Another object after the files have changed; undefined without any. */
  get current(): ClientKeyPair | undefined {
    return this.#current;
  }

  /** Reloads the files when they change, until the signal aborts. Invalid files have no effect until they are valid. */
  run({ clock, log }: Pick<Env, 'clock' | 'log'>, signal: AbortSignal): Promise<void> {
    const { proxyClientCertFile, proxyClientKeyFile } = this.#flags;
    const files = [proxyClientCertFile, proxyClientKeyFile].filter((path) => path !== '');
    const reload = (): void => {
      try {
        this.#current = read(this.#flags);
        log.info('the client certificate for extension API servers was reloaded');
      } catch (error) {
        log.error(
          'the client certificate for extension API servers cannot be used; keeping the previous one',
          {
            error: messageOf(error),
          },
        );
      }
    };
    return watchFiles(files, clock, reload, signal);
  }
}

const read = ({ proxyClientCertFile, proxyClientKeyFile }: Flags): ClientKeyPair | undefined =>
  readClientKeyPair(
    { flag: 'proxy-client-cert-file', path: proxyClientCertFile },
    { flag: 'proxy-client-key-file', path: proxyClientKeyFile },
  );
