import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Env, Names } from '@orch/machinery';
import type { KeyPair } from '@orch/pki/x509';
import { readFlagFile, StartError, writeProblem } from '@orch/program';
import { keyPairProblem } from '../reload/key-pair-problem.ts';
import { withFileLock } from './file-lock.ts';
import { freshLeaf, type Keeper, keepAuthority, keepLeaf, storedAuthority } from './keep.ts';

export interface CertificateOptions {
  readonly certDir: string;
  /** Both or neither; the server generates its certificate without them. */
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  /** Address that the API is served on; in the certificate unless it is the wildcard address. */
  readonly bindAddress: string;
  /** Further names and addresses for the certificate. */
  readonly hosts?: readonly string[];
  readonly names: Names;
  /** Whether the server needs a client certificate for extension API servers. */
  readonly needsProxyClient?: boolean;
}

/** The client certificate by which extension API servers recognize this server, and its authority. */
export interface ProxyClient {
  readonly authority: string;
  readonly commonName: string;
  readonly pair: KeyPair;
}

/** Common name of the client certificate for extension API servers: those accept no other one of its authority. */
const PROXY_CLIENT_NAME = 'front-proxy-client';

/** The certificates of the server, PEM. */
export interface Certificates {
  readonly serving: KeyPair;
  /** The authority that clients verify the serving certificate with. */
  readonly servingCa: string;
  /** Whether the server generated the authority in `servingCa`. */
  readonly isServingCaOwn: boolean;
  /** The server's authority for client certificates. */
  readonly clientAuthority: KeyPair;
  /** The administrator's client certificate. */
  readonly admin: KeyPair;
  /** Undefined unless it is needed. */
  readonly proxyClient: ProxyClient | undefined;
}

/**
 * Reads or generates the certificates: an authority and a certificate for serving, unless the operator provides one,
 * and an authority for clients with the administrator's certificate. Processes that share the folder wait for each
 * other.
 */
export async function prepareCertificates(
  options: CertificateOptions,
  env: Pick<Env, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
): Promise<Certificates> {
  const given = givenServing(options);
  return inFolder(options, env, signal, (keeper) =>
    certificatesOf(options, keeper, { given, keepAuthority }),
  );
}

/**
 * The certificates with those that expire soon replaced by others of the same authorities. Another process that shares the folder
 * may have replaced them already. Throws a `StartError` when the authorities in the folder are others.
 */
export async function renewCertificates(
  current: Certificates,
  options: CertificateOptions,
  { env, signal }: { readonly env: Pick<Env, 'clock' | 'random' | 'log'>; readonly signal: AbortSignal },
): Promise<Certificates> {
  const given = current.isServingCaOwn ? undefined : current.serving;
  return inFolder(options, env, signal, (keeper) =>
    certificatesOf(options, keeper, {
      given,
      keepAuthority: (_, name) => {
        const authority = storedAuthority(keeper, name);
        if (!authoritiesOf(current).includes(authority.cert))
          throw new Error(`the authority ${name} was replaced: restart the server`);
        return authority;
      },
    }),
  );
}

const authoritiesOf = ({ servingCa, clientAuthority, proxyClient }: Certificates): readonly string[] => [
  servingCa,
  clientAuthority.cert,
  ...(proxyClient === undefined ? [] : [proxyClient.authority]),
];

/** Works on the files of the folder while no other process does. */
async function inFolder<T>(
  { certDir }: Pick<CertificateOptions, 'certDir'>,
  env: Pick<Env, 'clock' | 'random' | 'log'>,
  signal: AbortSignal,
  work: (keeper: Keeper) => T,
): Promise<T> {
  const keeper = { dir: certDir, clock: env.clock, random: env.random, log: env.log };
  try {
    return await withFileLock(join(certDir, '.lock'), env, signal, () => work(keeper));
  } catch (error) {
    if (signal.aborted) throw error;
    throw new StartError(`--cert-dir ${certDir}: ${writeProblem(certDir, error)}`);
  }
}

interface Sources {
  /** The serving certificate of the operator. */
  readonly given: KeyPair | undefined;
  readonly keepAuthority: typeof keepAuthority;
}

function certificatesOf(
  options: CertificateOptions,
  keeper: Keeper,
  { given, keepAuthority: authorityOf }: Sources,
): Certificates {
  const { names } = options;
  const clientAuthority = authorityOf(keeper, 'client-ca', `${names.product}-client-ca`);
  const admin = freshLeaf(keeper, clientAuthority, {
    commonName: names.users.admin,
    organizations: [names.userGroups.masters],
    use: 'client',
  });
  const proxyClient =
    options.needsProxyClient === true ? generatedProxyClient(keeper, names, authorityOf) : undefined;
  if (given !== undefined)
    return {
      serving: given,
      servingCa: given.cert,
      isServingCaOwn: false,
      clientAuthority,
      admin,
      proxyClient,
    };
  const servingCa = authorityOf(keeper, 'serving-ca', `${names.product}-serving-ca`);
  const serving = keepLeaf(keeper, 'apiserver', servingCa, {
    commonName: `${names.product}-apiserver`,
    use: 'server',
    hosts: servingHosts(options),
  });
  return { serving, servingCa: servingCa.cert, isServingCaOwn: true, clientAuthority, admin, proxyClient };
}

/** The authority is kept and used for nothing else: this server itself does not trust it. */
function generatedProxyClient(
  keeper: Keeper,
  { product }: Names,
  authorityOf: Sources['keepAuthority'],
): ProxyClient {
  const authority = authorityOf(keeper, 'front-proxy-ca', `${product}-front-proxy-ca`);
  const pair = freshLeaf(keeper, authority, { commonName: PROXY_CLIENT_NAME, use: 'client' });
  return { authority: authority.cert, commonName: PROXY_CLIENT_NAME, pair };
}

/** The serving certificate of the flags, if there is one. Throws `StartError`. */
export function givenServing({
  tlsCertFile,
  tlsPrivateKeyFile,
}: Pick<CertificateOptions, 'tlsCertFile' | 'tlsPrivateKeyFile'>): KeyPair | undefined {
  if (tlsCertFile === '' && tlsPrivateKeyFile === '') return undefined;
  if (tlsCertFile === '' || tlsPrivateKeyFile === '') {
    throw new StartError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  const pair = {
    cert: readFlagFile('tls-cert-file', tlsCertFile),
    key: readFlagFile('tls-private-key-file', tlsPrivateKeyFile),
  };
  const problem = keyPairProblem(
    { flag: 'tls-cert-file', path: tlsCertFile, text: pair.cert },
    { flag: 'tls-private-key-file', path: tlsPrivateKeyFile, text: pair.key },
  );
  if (problem !== undefined) throw new StartError(problem);
  return pair;
}

/** Names and addresses under which clients reach the server. */
function servingHosts({ bindAddress, names, hosts: more = [] }: CertificateOptions): readonly string[] {
  const service = `${names.defaultService}.${names.namespaces.default}`;
  const hosts = [
    ...more,
    'localhost',
    '127.0.0.1',
    '::1',
    hostname(),
    names.defaultService,
    service,
    `${service}.svc`,
  ];
  if (!isAnyAddress(bindAddress)) hosts.push(bindAddress);
  return [...new Set(hosts)];
}

/** `0.0.0.0` and `::` mean all addresses of the machine. */
export const isAnyAddress = (address: string): boolean =>
  address === '0.0.0.0' || address === '::' || address === '';
