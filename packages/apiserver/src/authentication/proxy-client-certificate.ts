import type { Env } from '@orch/machinery';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { fileMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, ReloadedFiles } from '../reload/reloaded-files.ts';
import type { Reloads } from '../reload/reloads.ts';
import { type ClientKeyPair, checkGivenTogether, clientKeyPair } from './client-key-pair.ts';

type Flags = Pick<ApiServerFlags, 'proxyClientCertFile' | 'proxyClientKeyFile'>;

interface Parts extends Pick<Env, 'clock' | 'log' | 'metrics'> {
  /** Collects the files that are reloaded. */
  readonly reloads: Reloads;
}

/** The client certificate with which this server proves to extension API servers that it is their proxy. */
export class ProxyClientCertificate {
  readonly #files: ReloadedFiles<ClientKeyPair> | undefined;
  #own: ClientKeyPair | undefined;

  /** Reads the files of the flags; throws `StartError`. */
  constructor(flags: Flags, { reloads, ...env }: Parts) {
    const cert: FileFlag = { flag: 'proxy-client-cert-file', path: flags.proxyClientCertFile };
    const key: FileFlag = { flag: 'proxy-client-key-file', path: flags.proxyClientKeyFile };
    checkGivenTogether(cert, key);
    if (cert.path === '') return;
    this.#files = reloads.add(
      new ReloadedFiles({
        title: 'the client certificate for extension API servers',
        files: [cert, key],
        read: ([certText = '', keyText = '']) =>
          clientKeyPair({ ...cert, text: certText }, { ...key, text: keyText }),
        metrics: fileMetrics(cert.flag, env),
        env,
      }),
    );
  }

  /** Uses a generated certificate when the flags name none. */
  addOwn(pair: ClientKeyPair): void {
    this.#own = pair;
  }

  /** Another object after the files have changed; undefined without any. */
  get current(): ClientKeyPair | undefined {
    return this.#files?.current ?? this.#own;
  }
}
