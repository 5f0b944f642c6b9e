import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Client,
  type Controller,
  type ControllerContext,
  controllerLoop,
  createClient,
  fixedCredentials,
  informerFactory,
  networkTransport,
  type Resource,
  type ResourceClient,
  runLoops,
  type Transport,
} from '@orch/client';
import {
  allControllers,
  type Content,
  type ControllerDescriptor,
  type ControllerOptions,
  type Work,
} from '@orch/controllers';
import { usualOptions } from '@orch/controllers/testing';
import { type Clock, type Env, type Names, type Naming, namesFor } from '@orch/machinery';
import { createMetrics, silentLogger, systemClock, systemRandom } from '@orch/machinery/env';
import { poll } from '@orch/machinery/testing';
import { issueCertificate, type KeyPair } from '@orch/pki/x509';
import { type LaunchedServer, launchServer } from '@orch/testkit';

const DAY_MS = 24 * 3_600_000;

export const systemEnvOf = (clock: Clock = systemClock): Env => ({
  clock,
  random: systemRandom,
  log: silentLogger,
  metrics: createMetrics(),
});

/** A file that is read on every access. */
export const fileContent = (path: string): Content => ({
  origin: path,
  read: () => readFile(path, 'utf8'),
});

/** A server, the keys that it shares with its controllers, and managers of them. */
export interface Cluster extends AsyncDisposable {
  readonly server: LaunchedServer;
  readonly names: Names;
  readonly work: string;
  readonly authority: KeyPair;
  readonly files: {
    readonly tokenKey: string;
    readonly authorityCert: string;
    readonly authorityKey: string;
    readonly rootCa: string;
  };
  /** Acts as another user; as the administrator without a name. */
  as(user?: string, clock?: Clock): Client;
  /** Requests for certificates, in the version that is served. */
  requests(user?: string): ResourceClient;
  /** Flag values, with everything that the controllers of accounts and certificates need. */
  options(changes?: Partial<ControllerOptions>): ControllerOptions;
  /** Runs controllers, each under its own service account, their informers under the manager's identity. */
  manage(descriptors: readonly ControllerDescriptor[], options?: Managing): Promise<AsyncDisposable>;
}

export interface Managing {
  readonly options?: ControllerOptions;
  readonly clock?: Clock;
}

export interface ClusterOptions {
  readonly naming?: Naming;
  readonly args?: readonly string[];
}

function makeFiles(work: string, authority: KeyPair): Cluster['files'] & { readonly tokenPublicKey: string } {
  const file = (name: string, content: string): string => {
    writeFileSync(join(work, name), content);
    return join(work, name);
  };
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    tokenKey: file('sa.key', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    tokenPublicKey: file('sa.pub', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    authorityCert: file('ca.crt', authority.cert),
    authorityKey: file('ca.key', authority.key),
    rootCa: file('root.crt', authority.cert),
  };
}

/** Starts a server that trusts an authority and a token key which controllers sign with. */
export async function startCluster({ naming = 'orch', args = [] }: ClusterOptions = {}): Promise<Cluster> {
  const work = mkdtempSync(join(tmpdir(), 'orch-accounts-'));
  const validity = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + 3650 * DAY_MS };
  const authority = issueCertificate({ commonName: 'signers', use: 'authority', ...validity }, systemRandom);
  const files = makeFiles(work, authority);
  const server = await launchServer({
    naming,
    args: [
      `--service-account-key-file=${files.tokenPublicKey}`,
      `--client-ca-file=${files.authorityCert}`,
      '--enable-bootstrap-token-auth',
      '--authorization-mode=RBAC',
      ...args,
    ],
  });
  const names = namesFor(naming);
  const transports: Transport[] = [];
  const as = (user?: string, clock?: Clock): Client => {
    const transport = connect(server, user);
    transports.push(transport);
    return createClient({ transport, names, env: systemEnvOf(clock), userAgent: 'test' });
  };
  const cluster: Cluster = {
    server,
    names,
    work,
    authority,
    files,
    as,
    requests: (user) => as(user).resource(signingRequestsOf(names)),
    options: (changes = {}) => ({ ...optionsOf(files), ...changes }),
    manage: (descriptors, managing) => manage(cluster, descriptors, managing),
    async [Symbol.asyncDispose]() {
      for (const transport of transports) await transport.close();
      await server[Symbol.asyncDispose]();
      rmSync(work, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** A connection of the administrator, which can impersonate another user. */
function connect({ config }: LaunchedServer, user: string | undefined): Transport {
  const headers = user === undefined ? {} : { 'impersonate-user': user };
  const identity = {
    headers,
    tls: { cert: String(config.cert), key: String(config.key) },
  };
  const credentials = fixedCredentials(identity);
  return networkTransport(
    {
      server: config.server,
      ca: String(config.ca),
      insecureSkipTlsVerify: false,
      disableCompression: true,
      credentials,
    },
    systemEnvOf(),
  );
}

function optionsOf(files: Cluster['files']): ControllerOptions {
  const authority = { cert: fileContent(files.authorityCert), key: fileContent(files.authorityKey) };
  return {
    ...usualOptions,
    signing: {
      durationMs: 365 * DAY_MS,
      authorities: {
        apiserverClient: authority,
        apiserverClientNodeagent: authority,
        nodeagentServing: authority,
        legacyUnknown: authority,
      },
    },
    serviceAccountKey: fileContent(files.tokenKey),
    rootCa: fileContent(files.rootCa),
  };
}

const signingRequestsOf = (names: Names): Resource => ({
  group: names.group('certificates'),
  version: 'v1',
  resource: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  namespaced: false,
});

/** Controllers by the names that flags have for them. */
export const controllers = (...wanted: readonly string[]): readonly ControllerDescriptor[] =>
  allControllers.filter(({ name }) => wanted.includes(name));

const isController = (work: Work): work is Controller => !('run' in work);

async function manage(
  cluster: Cluster,
  descriptors: readonly ControllerDescriptor[],
  { options = cluster.options(), clock }: Managing = {},
): Promise<AsyncDisposable> {
  const { names } = cluster;
  const env = systemEnvOf(clock);
  const informers = informerFactory({ client: cluster.as(names.users.controllerManager), env, freeze: true });
  const contextFor = ({ serviceAccount }: ControllerDescriptor): ControllerContext => ({
    env,
    informers,
    events: { record: () => undefined },
    client: cluster.as(
      serviceAccount === undefined
        ? names.users.controllerManager
        : `${names.users.serviceAccountPrefix}${names.namespaces.system}:${serviceAccount}`,
      clock,
    ),
  });
  const built = await Promise.all(descriptors.map((one) => one.build(contextFor(one), options)));
  const refused = built.find((work) => typeof work === 'string');
  if (refused !== undefined) throw new Error(refused as string);
  const controllers = (built as readonly (readonly Work[])[]).flat().filter(isController);
  const abort = new AbortController();
  const loops = controllers.map((one) => controllerLoop(env, one));
  const running = runLoops(loops, { informers }, abort.signal);
  running.catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      abort.abort();
      await running;
    },
  };
}

/** Polls until there is a result, for ten seconds by default. */
export const eventually = <T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  deadlineMs = 10_000,
): Promise<T> => poll(what, deadlineMs, probe);
