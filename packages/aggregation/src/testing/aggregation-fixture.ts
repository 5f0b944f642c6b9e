import { connect as openSocket, type Socket, type TcpNetConnectOpts } from 'node:net';
import { discoveryRoutes, openApiRoutes, PublishedDocuments } from '@orch/discovery';
import { type TestServer, testServer } from '@orch/http/testing';
import { namesFor } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import type { ServerOptions } from '@orch/pipeline';
import { createRegistry } from '@orch/registry';
import {
  type Answered,
  noConnections,
  pod,
  RegistryFixture,
  type RegistryFixtureOptions,
  type ServedParts,
  servedParts,
} from '@orch/registry/testing';
import { type AggregationOptions, Aggregator } from '../aggregator.ts';
import type { ExtensionServer } from './extension-server.ts';

/** Addresses of pods in these tests; connections to them are opened to this machine. */
export const podAddress = (at = 0): string => `198.51.100.${7 + at}`;

export const GROUP = 'metrics.example.com';
/** The `apiVersion` of API services. */
export const apiVersion = namesFor('orch').apiVersion('apiregistration', 'v1');
export const apiServices = `/apis/${apiVersion}/apiservices`;
export const namespaced = '/api/v1/namespaces/default';

export interface AggregationFixtureOptions extends RegistryFixtureOptions {
  readonly aggregation?: AggregationOptions;
  /** Options of the pipeline over sockets. */
  readonly server?: Partial<ServerOptions>;
  /** Addresses that refuse connections. */
  readonly refused?: Set<string>;
}

/** The registration of an extension API server. */
export interface Registration {
  readonly port: number;
  readonly name?: string;
  readonly spec?: object;
  readonly addresses?: readonly string[];
  /** The service has no selector, and its addresses belong to no pods. */
  readonly isManual?: boolean;
}

/** The API with an aggregator, in process and over sockets. The clock is fake. */
export class AggregationFixture implements AsyncDisposable {
  readonly api: RegistryFixture;
  readonly server: TestServer;
  /** Hosts and ports that were dialled. */
  readonly dialed: string[];

  private constructor(api: RegistryFixture, server: TestServer, dialed: string[]) {
    this.api = api;
    this.server = server;
    this.dialed = dialed;
  }

  static async open(options: AggregationFixtureOptions = {}): Promise<AggregationFixture> {
    const dialed: string[] = [];
    const openTcp = ({ host, ...rest }: TcpNetConnectOpts): Socket => {
      dialed.push(`${host}:${rest.port}`);
      const port = options.refused?.has(String(host)) === true ? 1 : rest.port;
      return openSocket({ ...rest, port, host: '127.0.0.1' });
    };
    const api = await RegistryFixture.assembled(options, (parts): ServedParts => {
      const registry = createRegistry({ ...parts, connector: noConnections });
      const { internal: context, served, resources } = registry;
      const connections = { openTcp, ...options.aggregation };
      const aggregator = new Aggregator({
        ...connections,
        context,
        table: served.table,
        catchUp: () => undefined,
      });
      const discovery = discoveryRoutes({ ...served, extensions: aggregator.extensions });
      return servedParts(registry, {
        resources: aggregator.resources(resources),
        servesResource: (info) => registry.servesResource(info) || aggregator.servesResource(info),
        routes: [
          ...discovery.routes.map((route) => aggregator.route(route)),
          ...openApiRoutes(new PublishedDocuments({ ...served, extensions: aggregator.schemas }), served),
        ],
        apiPaths: discovery.paths,
        aggregation: aggregator,
      });
    });
    const { resources, routes } = api.registry;
    const server = await testServer({
      resources,
      routes,
      server: { tracing: options.tracing, ...options.server },
    });
    return new AggregationFixture(api, server, dialed);
  }

  /** Creates the service, its pods and endpoints. */
  async service(registration: Registration): Promise<void> {
    const { port, name = 'extension', addresses = [podAddress()], isManual = false } = registration;
    const ports = [{ name: 'https', port: 443, targetPort: port }];
    const selector = isManual ? {} : { selector: { app: name } };
    await this.api.post(`${namespaced}/services`, {
      ...{ kind: 'Service', apiVersion: 'v1', metadata: { name } },
      spec: { ports, clusterIP: 'None', ...selector },
    });
    if (!isManual) for (const [at, ip] of addresses.entries()) await this.#pod(`${name}-${at}`, ip);
    await this.endpoints({ ...registration, name, addresses });
  }

  /** Replaces the endpoints of a service; unless they are manual, they refer to the pods that `service` made. */
  async endpoints(registration: Registration): Promise<Answered> {
    const { port, name = 'extension', addresses = [], isManual = false } = registration;
    const path = `${namespaced}/endpoints`;
    const reference = (at: number) =>
      isManual ? {} : { targetRef: { kind: 'Pod', namespace: 'default', name: `${name}-${at}` } };
    const object = {
      ...{ kind: 'Endpoints', apiVersion: 'v1', metadata: { name } },
      subsets: [
        {
          addresses: addresses.map((ip, at) => ({ ip, ...reference(at) })),
          ports: [{ name: 'https', port }],
        },
      ],
    };
    const present = await this.api.get(`${path}/${name}`);
    return present.status === 404 ? this.api.post(path, object) : this.api.put(`${path}/${name}`, object);
  }

  /** The path of an EndpointSlice. */
  slicePath(name = ''): string {
    const group = this.api.names.group('discovery');
    return `/apis/${group}/v1/namespaces/default/endpointslices${name === '' ? '' : `/${name}`}`;
  }

  /** Creates an EndpointSlice of a service, with addresses of no pods. */
  async slice({ port, name = 'extension', addresses = [] }: Registration): Promise<void> {
    const labels = { [this.api.names.labels.serviceName]: name };
    const created = await this.api.post(this.slicePath(), {
      metadata: { name: `${name}-abc`, labels },
      addressType: 'IPv4',
      endpoints: addresses.map((address) => ({ addresses: [address] })),
      ports: [{ name: 'https', port }],
    });
    if (created.status !== 201) throw new Error(created.text);
  }

  /** Registers the group version `v1` of an extension API server, and waits until this replica proxies to it. */
  async register(extension: ExtensionServer, spec: object = {}, group = GROUP): Promise<void> {
    const created = await this.api.post(apiServices, apiService(group, extension.caBundle, spec));
    if (created.status !== 201) throw new Error(created.text);
    await this.api.settled();
  }

  /** As `register`, with the service. */
  async extend(extension: ExtensionServer, registration: Partial<Registration> = {}): Promise<void> {
    await this.service({ port: extension.port, ...registration });
    await this.register(extension, registration.spec);
    await until(() => extension.checks > 0, 'the first check of the extension API server');
  }

  async #pod(name: string, ip: string): Promise<void> {
    const path = `${namespaced}/pods`;
    const object = pod(name, { nodeName: 'n' }) as object;
    await this.api.post(path, object);
    const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] };
    await this.api.put(`${path}/${name}/status`, { ...object, status });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.api[Symbol.asyncDispose]();
  }
}

export const apiService = (group: string, caBundle: string, spec: object = {}): object => ({
  kind: 'APIService',
  apiVersion,
  metadata: { name: `v1.${group}` },
  spec: {
    group,
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 15,
    service: { namespace: 'default', name: 'extension' },
    caBundle,
    ...spec,
  },
});

/** The condition `Available` of an API service, without its time. */
export async function availabilityOf(api: RegistryFixture, name = `v1.${GROUP}`): Promise<unknown> {
  await api.settled();
  const { json } = await api.get(`${apiServices}/${name}`);
  const { lastTransitionTime: _time, ...condition } = json?.status?.conditions?.[0] ?? {};
  return condition;
}
