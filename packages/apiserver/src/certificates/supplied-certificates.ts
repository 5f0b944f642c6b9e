import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Env, messageOf } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { pemBlocks } from '@orch/pki/x509';
import { type HealthCheck, healthy, unhealthy } from '@orch/program';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { keyPairProblem } from '../reload/key-pair-problem.ts';
import type { FileFlag } from '../reload/reloaded-files.ts';
import type { NamedCertificateFiles } from '../settings/serving-settings.ts';

/** A file with certificates that the operator supplies, and that of the key of its first one. */
export interface SuppliedFile {
  readonly cert: FileFlag;
  /** Absent for authorities. */
  readonly key?: FileFlag;
}

type Flags = Pick<
  ApiServerFlags,
  | 'tlsCertFile'
  | 'tlsPrivateKeyFile'
  | 'clientCaFile'
  | 'requestHeaderClientCaFile'
  | 'proxyClientCertFile'
  | 'proxyClientKeyFile'
  | 'nodeAgentCertificateAuthority'
  | 'nodeAgentClientCertificate'
  | 'nodeAgentClientKey'
  | 'etcdCaFile'
  | 'etcdCertFile'
  | 'etcdKeyFile'
  | 'oidcCaFile'
>;

/** The files of all flags that are given; `named` are those of `--tls-sni-cert-key`. */
export function suppliedFiles(
  flags: Flags,
  named: readonly NamedCertificateFiles[],
): readonly SuppliedFile[] {
  const file = (flag: string, path: string): FileFlag => ({ flag, path });
  const all: readonly SuppliedFile[] = [
    {
      cert: file('tls-cert-file', flags.tlsCertFile),
      key: file('tls-private-key-file', flags.tlsPrivateKeyFile),
    },
    { cert: file('client-ca-file', flags.clientCaFile) },
    { cert: file('requestheader-client-ca-file', flags.requestHeaderClientCaFile) },
    {
      cert: file('proxy-client-cert-file', flags.proxyClientCertFile),
      key: file('proxy-client-key-file', flags.proxyClientKeyFile),
    },
    { cert: file('nodeagent-certificate-authority', flags.nodeAgentCertificateAuthority) },
    {
      cert: file('nodeagent-client-certificate', flags.nodeAgentClientCertificate),
      key: file('nodeagent-client-key', flags.nodeAgentClientKey),
    },
    { cert: file('etcd-cafile', flags.etcdCaFile) },
    { cert: file('etcd-certfile', flags.etcdCertFile), key: file('etcd-keyfile', flags.etcdKeyFile) },
    { cert: file('oidc-ca-file', flags.oidcCaFile) },
    ...named.map(({ certFile, keyFile }) => ({
      cert: file('tls-sni-cert-key', certFile),
      key: file('tls-sni-cert-key', keyFile),
    })),
  ];
  return all.filter(({ cert }) => cert.path !== '');
}

const INTERVAL_MS = 60_000;

/**
 * Watches whether the certificates that flags name are valid now and fit their keys. A server runs with others, too: only
 * their users are affected. Problems are in the log when they begin, and in health checks without an effect.
 */
export class SuppliedCertificates {
  readonly #files: readonly SuppliedFile[];
  readonly #env: Pick<Env, 'clock' | 'log'>;
  /** By flag. */
  #problems: ReadonlyMap<string, string> = new Map();

  constructor(files: readonly SuppliedFile[], env: Pick<Env, 'clock' | 'log'>) {
    this.#files = files;
    this.#env = env;
    this.#look();
  }

  /** One for each flag, `certificate/<flag>`. */
  get checks(): readonly HealthCheck[] {
    return [...new Set(this.#files.map(({ cert }) => cert.flag))].map((flag) => ({
      name: `certificate/${flag}`,
      isNotice: true,
      run: () => {
        const problem = this.#problems.get(flag);
        return problem === undefined ? healthy : unhealthy(problem);
      },
    }));
  }

  /** Looks again at intervals, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (this.#files.length > 0 && !signal.aborted) {
      await sleep(this.#env.clock, INTERVAL_MS, signal).catch(() => undefined);
      if (!signal.aborted) this.#look();
    }
  }

  #look(): void {
    const { clock, log } = this.#env;
    const found = new Map<string, string>();
    for (const file of this.#files) {
      const problem = problemOf(file, clock.now());
      const { flag } = file.cert;
      const earlier = found.get(flag);
      if (problem !== undefined) found.set(flag, earlier === undefined ? problem : `${earlier}; ${problem}`);
    }
    for (const [flag, problem] of found)
      if (this.#problems.get(flag) !== problem)
        log.error('a certificate given by a flag is not valid', { problem });
    for (const flag of this.#problems.keys())
      if (!found.has(flag)) log.info('the certificates given by a flag are valid again', { flag });
    this.#problems = found;
  }
}

/** Undefined when all certificates are valid now, and the first one fits the key. */
function problemOf({ cert, key }: SuppliedFile, now: number): string | undefined {
  try {
    const text = readFileSync(cert.path, 'utf8');
    const pair =
      key === undefined
        ? undefined
        : keyPairProblem({ ...cert, text }, { ...key, text: readFileSync(key.path, 'utf8') });
    return pair ?? validityProblem(cert, text, now);
  } catch (error) {
    return `--${cert.flag} ${cert.path}: ${messageOf(error)}`;
  }
}

function validityProblem({ flag, path }: FileFlag, text: string, now: number): string | undefined {
  for (const { label, bytes } of pemBlocks(text)) {
    if (label !== 'CERTIFICATE') continue;
    const { subject = '', validFrom, validTo } = new X509Certificate(bytes);
    const of = `--${flag} ${path}: the certificate of ${subject.replaceAll('\n', ', ')}`;
    if (Date.parse(validTo) <= now) return `${of} has expired at ${new Date(validTo).toISOString()}`;
    if (Date.parse(validFrom) > now) return `${of} is not valid before ${new Date(validFrom).toISOString()}`;
  }
  return undefined;
}
