import type { PluginConfiguration } from '@orch/admission';
import { atLeast, previousRelease, type Release } from '@orch/apis';
import type { AuthenticationMethods } from '@orch/auth';
import type { History } from '@orch/history';
import { type Tracing, tracedStore } from '@orch/pipeline';
import {
  Background,
  type BackgroundTask,
  isGiven,
  openAll,
  processMetrics,
  taskOf,
  type VersionInfo,
  versionInfo,
} from '@orch/program';
import type { MovableStore, Store } from '@orch/storage';
import { readPluginConfiguration } from '../admission.ts';
import { type Audit, openAudit } from '../audit/audit-sinks.ts';
import { authenticationMethods } from '../authentication/authentication.ts';
import { ClientTrust } from '../authentication/client-trust.ts';
import {
  type ConfiguredAuthentication,
  configuredAuthentication,
} from '../authentication/configured-authentication.ts';
import { ProxyClientCertificate } from '../authentication/proxy-client-certificate.ts';
import { type CertificateOptions, type Certificates, prepareCertificates } from '../certificates/serving.ts';
import { SuppliedCertificates, suppliedFiles } from '../certificates/supplied-certificates.ts';
import { openEncryption, type ServerEncryption } from '../encryption/server-encryption.ts';
import { featureMetrics } from '../feature-metrics.ts';
import { unusedFlagsIn } from '../flags/unused-flags.ts';
import { LoopbackListener } from '../loopback/loopback-listener.ts';
import { Reloads } from '../reload/reloads.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoreOverride } from '../settings/store-overrides.ts';
import { settingsOfOverride } from '../settings/store-settings.ts';
import { measuredStore } from '../storage/measured-store.ts';
import { migrationTarget } from '../storage/migration-target.ts';
import { openHistory } from '../storage/open-history.ts';
import { openServerStore, type ServerStoreContext, withReason } from '../storage/open-store.ts';
import { checkPlacement } from '../storage/placement.ts';
import { checkReleaseOfData } from '../storage/release-of-data.ts';
import { routedStore, type ServerStore, type ServerStores } from '../storage/server-stores.ts';
import { openSigner } from '../tokens/external-signer/open-signer.ts';
import { keysOfSigner, type OwnTokenKeys, ownTokenKeys } from '../tokens/token-keys.ts';
import { serverTracing } from '../tracing/open-tracing.ts';
import type { ApiServerHost, StartContext } from './start-context.ts';

/** All parts that a server reads or opens before the others can be built. */
export interface Opened {
  readonly version: VersionInfo;
  readonly tracing: Tracing | undefined;
  readonly audit: Audit | undefined;
  readonly trust: ClientTrust;
  readonly loopback: LoopbackListener | undefined;
  /** Authentication methods that need no objects of the cluster. */
  readonly methods: AuthenticationMethods;
  /** Authentication of the configuration file. */
  readonly configured: ConfiguredAuthentication | undefined;
  /** Files that are reloaded; later phases add to them. */
  readonly reloads: Reloads;
  readonly certificates: Certificates;
  /** The store of each key, measured and traced; values are encrypted as configured. */
  readonly store: Store;
  /** The main store, and those of some resources. */
  readonly stores: ServerStores;
  /** The main store, which migrations move. */
  readonly movable: MovableStore;
  readonly encryption: ServerEncryption | undefined;
  /** The history of objects; undefined without one. */
  readonly history: History | undefined;
  /** Whether the certificates that flags name are valid. */
  readonly supplied: SuppliedCertificates;
  readonly background: Background;
  /** Work on the opened parts, which begins with the watch cache. */
  readonly tasks: readonly BackgroundTask[];
  readonly keys: OwnTokenKeys;
  readonly proxyCertificate: ProxyClientCertificate;
  /** Settings of admission plugins. */
  readonly pluginConfiguration: PluginConfiguration;
}

/** The release from which on users with certificates and ID tokens have credential ids. */
const CREDENTIAL_IDS_SINCE: Release = '1.32';

/** First phase: reads files of flags, opens the audit log, certificates, the store and token keys. */
export async function open(context: StartContext): Promise<Opened> {
  const { settings, host, cleanup, signal } = context;
  const { env } = host;
  const { flags, names } = settings;
  const version = versionOf(context);
  if (host.furtherThread === undefined) describeProcess(context, version);
  const tracing = await serverTracing(settings, { env, cleanup });
  const trust = new ClientTrust(flags);
  const pluginConfiguration = readPluginConfiguration(settings);
  const loopback = loopbackOf(context);
  const reloads = new Reloads();
  const { audit: shared } = host.furtherThread ?? context.threads;
  const audit = openAudit(settings, { ...env, reloads, shared });
  if (audit !== undefined) context.threads.serveAudit(audit.served);
  if (audit !== undefined) cleanup.add('write the remaining audit events', () => audit.close());
  const encryption = await openEncryption(settings, env);
  if (encryption !== undefined) cleanup.add('close key services', async () => encryption.close());
  const { audiences } = settings.tokens;
  const proxyCertificate = new ProxyClientCertificate(flags, { ...env, reloads });
  const forUsers = { env, names, reloads, credentialIdKey: credentialIdKeyOf(settings) };
  const ownIssuers = settings.tokens.issuers;
  const configured = configuredAuthentication(flags, { ...forUsers, ownIssuers });
  const methods = authenticationMethods(flags, {
    ...{ ...forUsers, trust, tracing, audiences, configured },
    readsCertificateUids: settings.features.certificateUids,
  });
  const [certificates, opened] = await openFiles(
    settings,
    { ...host, threads: context.threads, reloads },
    signal,
  );
  for (const { movable } of opened) cleanup.add('close the store', () => movable.close());
  trust.addOwn(certificates.clientAuthority.cert);
  const { proxyClient } = certificates;
  if (proxyClient !== undefined) {
    proxyCertificate.addOwn(proxyClient.pair);
    trust.publishOwnProxy(proxyClient);
  }
  const { storePrefix: prefix } = settings;
  const served = ({ movable, override }: OpenedStore): ServerStore => {
    const storedBytes = tracedStore(measuredStore(movable, prefix, env), prefix, tracing);
    return { movable, override, storedBytes, store: encryption?.encrypted(storedBytes) ?? storedBytes };
  };
  const [main, ...others] = opened;
  const stores: ServerStores = [served(main), ...others.map(served)];
  const store = routedStore(stores, prefix);
  if (host.furtherThread === undefined) {
    await withReason(settings, () => checkPlacement(stores, { prefix, env }, signal));
    await withReason(settings, () => checkReleaseOfData({ settings, store, log: env.log }, signal));
  }
  const history = await openHistory(settings, { store, encryption, env });
  const supplied = new SuppliedCertificates(suppliedFiles(flags, settings.serving.named), env);
  const background = new Background(env.log);
  cleanup.add('stop background tasks', () => background.stop());
  for (const { movable } of stores) background.start('migrations of the store', (stop) => movable.run(stop));
  const keys =
    flags.serviceAccountSigningEndpoint === ''
      ? await ownTokenKeys(flags, { env, servingKey: certificates.serving.key, reloads }, signal)
      : keysOfSigner(await openSigner(settings, { env, cleanup }, signal));
  const parts = {
    certificates,
    store,
    stores,
    movable: main.movable,
    encryption,
    history,
    supplied,
    background,
    tasks: tasksOf({ encryption, reloads, supplied }),
    keys,
    proxyCertificate,
    pluginConfiguration,
  };
  return { version, tracing, audit, trust, loopback, methods, configured, reloads, ...parts };
}

/** The key of the credential ids of users; undefined in releases without them. */
const credentialIdKeyOf = ({ release, names }: Settings): string | undefined =>
  atLeast(release, CREDENTIAL_IDS_SINCE) ? names.userExtras.credentialId : undefined;

/** Warnings about flags, and the metrics of the process. */
function describeProcess({ settings, host: { env } }: StartContext, version: VersionInfo): void {
  const { flags, names, gates, admission } = settings;
  for (const name of unusedFlagsIn((flag) => isGiven(flags, flag)))
    env.log.warn(`--${name} has no effect: see --help`);
  for (const warning of [...gates.warnings, ...admission.warnings]) env.log.warn(warning);
  processMetrics(env.metrics, { names, version });
  featureMetrics(env.metrics, settings);
}

const tasksOf = ({
  encryption,
  reloads,
  supplied,
}: Pick<Opened, 'encryption' | 'reloads' | 'supplied'>): readonly BackgroundTask[] => [
  ...taskOf('encryption configuration', encryption),
  ['reload of files', (stop) => reloads.run(stop)],
  ['supplied certificates', (stop) => supplied.run(stop)],
];

interface OpenHost extends ApiServerHost, Pick<StartContext, 'threads'> {
  readonly reloads: Reloads;
}

/** An opened store, and what it is for. */
type OpenedStore = Pick<ServerStore, 'movable' | 'override'>;
type OpenedStores = readonly [OpenedStore, ...OpenedStore[]];

/** Prepares certificates and opens the stores at the same time; when one fails, the others are released. */
async function openFiles(
  settings: Settings,
  host: OpenHost,
  signal: AbortSignal,
): Promise<[Certificates, OpenedStores]> {
  const { env } = host;
  const close = ({ movable }: OpenedStore): Promise<void> => movable.close();
  const opening = (override: StoreOverride) => ({
    open: async (stop: AbortSignal): Promise<OpenedStore> => ({
      override,
      movable: await openServerStore(settingsOfOverride(settings, override), {
        ...storeContextOf(settings, host, stop),
        target: () => undefined,
      }),
    }),
    close,
  });
  const [certificates, main, ...others] = await openAll<[Certificates, OpenedStore, ...OpenedStore[]]>(
    [
      {
        open: (stop) => prepareCertificates(certificateOptions(settings), env, stop),
      },
      {
        open: async (stop) => ({
          override: undefined,
          movable: await openServerStore(settings, storeContextOf(settings, host, stop)),
        }),
        close,
      },
      ...settings.overrides.map(opening),
    ],
    signal,
  );
  return [certificates, [main, ...others]];
}

const storeContextOf = (
  settings: Settings,
  { env, workerUrl, sharedWriter, openStore, furtherThread, threads, reloads }: OpenHost,
  signal: AbortSignal,
): ServerStoreContext => ({
  env,
  workerUrl,
  sharedWriter,
  ...(openStore !== undefined && { openStore }),
  thread: furtherThread?.store,
  onWriter: (writer) => threads.useWriter(writer),
  target: () => migrationTarget(settings),
  naming: settings.names.naming,
  signal,
  reloading: { reloads, metrics: env.metrics },
});

/** The names and purposes of the certificates that a server generates. */
export const certificateOptions = (settings: Settings): CertificateOptions => ({
  ...settings.flags,
  names: settings.names,
  hosts: serviceHosts(settings),
  needsProxyClient: needsProxyClient(settings),
});

/** With the flags of either, the operator decides whom extension API servers trust. */
const needsProxyClient = ({ flags }: Settings): boolean =>
  flags.proxyClientCertFile === '' && flags.requestHeaderClientCaFile === '';

const loopbackOf = ({ host: { env, loopbackUser }, settings }: StartContext): LoopbackListener | undefined =>
  loopbackUser === undefined
    ? undefined
    : new LoopbackListener(
        { name: loopbackUser, uid: '', groups: [settings.names.userGroups.authenticated], extra: {} },
        env,
      );

/** Without brackets and port. */
const hostOf = (text: string): string => new URL(`https://${text}`).hostname.replace(/^\[|\]$/g, '');

/** Addresses of the default service: clients within the cluster connect to these. */
const serviceHosts = ({ services, flags }: Settings): readonly string[] => [
  ...services.addresses.map((range) => range.at(0)),
  ...(flags.advertiseAddress === '' ? [] : [flags.advertiseAddress]),
  ...(flags.externalHostname === '' ? [] : [hostOf(flags.externalHostname)]),
];

/** Servers report it from 1.33 on. What a release stores, the one before can read. */
function minCompatibilityOf(release: Release): { readonly minCompatibility?: Release } {
  const minCompatibility = atLeast(release, '1.33') ? previousRelease(release) : undefined;
  return minCompatibility === undefined ? {} : { minCompatibility };
}

const versionOf = ({ settings: { release }, host: { build } }: StartContext): VersionInfo =>
  versionInfo({
    release,
    ...minCompatibilityOf(release),
    product: 'orch',
    build,
    runtime: process.version,
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  });
