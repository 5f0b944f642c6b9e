import { messageOf } from '@orch/machinery';
import { anySignal } from '@orch/machinery/concurrency';
import { type BackgroundTask, runAll, StartError } from '@orch/program';
import { internalKey } from '@orch/registry';
import type { AuthenticationSource } from '@orch/server';
import type { ServiceReconciler } from '@orch/service-networking';
import { compactionKeyOf, runCompactor } from '@orch/storage';
import { advertisedAddress } from '../advertise-address.ts';
import { serverUrl, writeAdminConfig, writeControllerConfig } from '../certificates/admin-config.ts';
import { GeneratedAuthorities } from '../certificates/generated-authorities.ts';
import { type RenewalParts, runRenewal } from '../certificates/renewal.ts';
import { type RenewedPairs, renewedPairs } from '../certificates/renewed-pairs.ts';
import { isAnyAddress } from '../certificates/serving.ts';
import { ServingAuthorities } from '../certificates/serving-authorities.ts';
import { isWriteRefused } from '../storage/refused-writes.ts';
import { watchStoreSize } from '../storage/store-size.ts';
import type { FurtherThread } from '../threads/further-thread.ts';
import type { Assembled } from './assemble.ts';
import { certificateOptions, type Opened } from './open.ts';
import type { Served } from './serve.ts';
import type { StartContext } from './start-context.ts';

/** The results of the previous phases. */
export interface Serving {
  readonly opened: Opened;
  readonly assembled: Assembled;
  readonly served: Served;
}

/** Address at which clients reach the server. */
export interface Published {
  readonly url: string;
  /** Ends the part of this server in the endpoints of the default service. */
  leave(): Promise<void>;
}

/**
 * Last phase: publishes where and with which certificates the server is reached – in the cluster's objects, then in
 * client configuration files – and starts the tasks that keep the objects up to date.
 */
export async function publish(context: StartContext, serving: Serving): Promise<Published> {
  const { furtherThread } = context.host;
  if (furtherThread !== undefined) return publishedByFirstThread(furtherThread, serving);
  const { background } = serving.opened;
  const { registry, lifecycle } = serving.assembled;
  const trustMap = registry.extensionAuthenticationPublisher(trustSource(context, serving.opened));
  const authorities = servingAuthoritiesOf(context, serving);
  using either = anySignal([context.signal, background.failed]);
  const [services] = await runAll<[ServiceReconciler, unknown, unknown]>(
    [
      (stop) => startServices(context, serving, stop),
      (stop) => trustMap.publish(stop),
      (stop) => authorities.publish(stop),
    ],
    either.signal,
  );
  const tasks: readonly BackgroundTask[] = [
    ['service reconciler', (stop) => services.run(stop)],
    ['publisher of client authorities', (stop) => trustMap.run(stop)],
    ['publisher of serving authorities', (stop) => authorities.run(stop)],
    ...registry.tasks.afterBootstrap,
    ['renewal of certificates', (stop) => runRenewal(renewalOf(context, serving), stop)],
    ...storeTasks(context, serving.opened),
  ];
  for (const [name, run] of tasks) background.start(name, run);
  lifecycle.done('bootstrap-controller', 'start-cluster-authentication-info-controller');
  const url = writeClientConfigs(context, serving.opened, serving.served);
  return { url, leave: () => services.leave() };
}

/** A further thread publishes nothing: its address and its certificates are those of the first one. */
function publishedByFirstThread(thread: FurtherThread, serving: Serving): Published {
  const { opened, assembled, served } = serving;
  thread.onRenewed((renewed) => useRenewed(serving, renewed));
  const { registry, lifecycle } = assembled;
  for (const [name, run] of registry.tasks.afterBootstrap) opened.background.start(name, run);
  lifecycle.done('bootstrap-controller', 'start-cluster-authentication-info-controller');
  return { url: urlOf(served), leave: async () => undefined };
}

const urlOf = ({ listener }: Pick<Served, 'listener'>): string =>
  serverUrl(isAnyAddress(listener.host) ? '127.0.0.1' : listener.host, listener.port);

/** Reconciles services before the first request is served, and adds this server to the endpoints of the default service. */
async function startServices(
  { settings, host: { env } }: StartContext,
  { assembled: { registry }, served: { listener } }: Serving,
  signal: AbortSignal,
): Promise<ServiceReconciler> {
  const address = advertisedAddress(settings);
  if (address === undefined && settings.flags.endpointReconciler !== 'none') {
    env.log.warn('no other machine can reach this one: it is not among the endpoints of the default service');
  }
  const services = registry.serviceReconciler({ port: listener.port, address });
  try {
    await services.start(signal);
  } catch (error) {
    if (signal.aborted) throw error;
    if (!isWriteRefused(error)) throw new StartError(`cannot reconcile services: ${messageOf(error)}`);
    // Its loop tries again; until then no service can be created that could get a value in use.
    env.log.warn('cannot reconcile services yet: the store does not accept writes', {
      error: messageOf(error),
    });
  }
  return services;
}

/**
 * The authentication configuration, with the authorities that servers have generated for clients and for themselves as
 * proxies.
 */
function trustSource(
  { settings: { storePrefix }, host: { env } }: StartContext,
  { store, certificates, trust }: Opened,
): AuthenticationSource {
  const authorities = (name: string, own: string | undefined, title: string): GeneratedAuthorities =>
    new GeneratedAuthorities({ store, prefix: internalKey(storePrefix, name), own, env, title });
  const { clientAuthority, proxyClient } = certificates;
  const proxies = authorities('proxy-authorities/', proxyClient?.authority, 'servers as proxies');
  const clients = authorities('client-authorities/', clientAuthority.cert, 'client certificates');
  return {
    read: async (signal) => ({
      ...trust.facts,
      generatedClients: await clients.exchange(signal),
      generatedProxies: await proxies.exchange(signal),
    }),
    async published(signal) {
      await clients.removeExpired(signal);
      await proxies.removeExpired(signal);
    },
  };
}

const servingAuthoritiesOf = (
  { settings: { names, storePrefix }, host: { env } }: StartContext,
  { opened: { store, certificates }, assembled: { registry } }: Serving,
): ServingAuthorities =>
  new ServingAuthorities({
    store,
    prefix: internalKey(storePrefix, 'serving-authorities/'),
    own: certificates.isServingCaOwn ? certificates.servingCa : undefined,
    names,
    env,
    registry,
  });

/** Renewed certificates are used for new connections, and written to the configuration files of clients. */
const renewalOf = (context: StartContext, serving: Serving): RenewalParts => ({
  certificates: serving.opened.certificates,
  options: certificateOptions(context.settings),
  env: context.host.env,
  use(renewed) {
    const pairs = renewedPairs(renewed);
    useRenewed(serving, pairs);
    context.threads.renew(pairs);
    writeClientConfigs(context, { certificates: renewed }, serving.served);
  },
});

function useRenewed({ opened, served }: Serving, { serving, proxyClient }: RenewedPairs): void {
  if (serving !== undefined) served.certificates.renew(serving);
  if (proxyClient !== undefined) opened.proxyCertificate.addOwn(proxyClient);
}

function storeTasks(
  { settings, host: { env } }: StartContext,
  { stores, history }: Pick<Opened, 'stores' | 'history'>,
): readonly BackgroundTask[] {
  const { flags, storage, storePrefix } = settings;
  const key = compactionKeyOf(storePrefix);
  const { compactionInterval: intervalMs } = flags;
  return stores.flatMap(({ store, override }): readonly BackgroundTask[] => {
    const { servers } = override ?? { servers: flags.etcdServers };
    const endpoint = storage === 'etcd' ? servers.join(',') : storage;
    return [
      ['store size metric', (stop) => watchStoreSize(store, endpoint, env, stop)],
      ['compaction', (stop) => runCompactor(store, { key, intervalMs, env, signal: stop })],
      ...(history === undefined
        ? []
        : [['pruning of the history', (stop: AbortSignal) => history.run(store, stop)] as const]),
    ];
  });
}

/** Writes the configuration files of the administrator and the controllers. Returns the address in them, which is empty without a port. */
function writeClientConfigs(
  { settings: { flags, names, adminConfig }, host: { env, opensPort } }: StartContext,
  { certificates }: Pick<Opened, 'certificates'>,
  served: Pick<Served, 'listener'>,
): string {
  if (opensPort === false) return '';
  const { clock, random } = env;
  const url = urlOf(served);
  writeAdminConfig(adminConfig, url, certificates, { names, random });
  if (flags.controllerConfig !== '') {
    writeControllerConfig(flags.controllerConfig, url, certificates, { names, clock, random });
  }
  return url;
}
