import {
  BackendDialer,
  defaultConnectLimits,
  Forwarding,
  type IdentityFields,
  type TraceHeaders,
} from '@orch/connect';
import type { ExtensionApis, ExtensionSchemas } from '@orch/discovery';
import {
  type ConnectionLimits,
  certificateNamesCounter,
  defaultConnectionLimits,
  type OpenTcp,
} from '@orch/outbound';
import type { ResourceTable, ServerContext } from '@orch/registry';
import type { Authorized, Handler, ResourceContext, ResourceRequest, Route } from '@orch/request';
import type { RemoteApiService } from './api-services/api-service.ts';
import { AvailabilityController } from './availability/availability-controller.ts';
import { Backend, type OpenConnections } from './backend/backend.ts';
import type { CurrentProxyIdentity } from './backend/proxy-identity.ts';
import { type EndpointCaches, groupOf } from './backend/recorded-objects.ts';
import { ServiceEndpoints } from './backend/service-endpoints.ts';
import { ExtensionDiscovery } from './documents/extension-discovery.ts';
import { ExtensionOpenApi } from './documents/extension-openapi.ts';
import { ReadMetrics } from './documents/read-metrics.ts';
import { CustomApiServices } from './local/custom-api-services.ts';
import { IdentityFieldsCache } from './proxy/identity-fields.ts';
import { type ProxyParts, proxyDocument, proxyRequest } from './proxy/proxy-request.ts';
import { RemoteApiServices } from './remote/remote-api-services.ts';

/** Connection options for extension API servers. */
export interface AggregationOptions {
  /** The client certificate of this server; none when absent. */
  readonly identity?: CurrentProxyIdentity;
  readonly limits?: Partial<ConnectionLimits>;
  /** Header fields in which a front proxy of this server names users: they are removed. */
  readonly identityFields?: IdentityFields;
  readonly openTcp?: OpenTcp;
  /** Makes the connections for requests without an upgrade; over TLS when absent. For simulations, which have no sockets. */
  readonly openConnections?: OpenConnections | undefined;
  /** Addresses of this machine: no extension API server is expected there, unless it is a pod. */
  readonly machineAddresses?: () => readonly string[];
  /** Trace context header fields; none without tracing. */
  readonly traceHeaders?: TraceHeaders;
}

export interface AggregatorOptions extends AggregationOptions {
  readonly context: ServerContext;
  readonly table: ResourceTable;
  /** Resolves when this replica serves every definition that was established before the call. */
  readonly catchUp: (signal: AbortSignal) => Promise<void> | undefined;
}

/**
 * The aggregation layer of one replica: API services, their availability, and the proxy to extension API servers. Nothing
 * is proxied before `run`.
 */
export class Aggregator {
  readonly #remotes: RemoteApiServices;
  readonly #availability: AvailabilityController;
  readonly #custom: CustomApiServices;
  readonly #discovery: ExtensionDiscovery;
  readonly #openApi: ExtensionOpenApi;
  readonly #proxy: ProxyParts;

  constructor(options: AggregatorOptions) {
    const { context, table } = options;
    const dialer = new BackendDialer(context.env, defaultConnectLimits, options.openTcp);
    this.#remotes = new RemoteApiServices({ context, table, openBackend: backendsOf(options, dialer) });
    const read = { context, remotes: this.#remotes, reads: new ReadMetrics(context.env) };
    const discovery = new ExtensionDiscovery(read);
    const openApi = new ExtensionOpenApi(read);
    this.#discovery = discovery;
    this.#openApi = openApi;
    this.#availability = new AvailabilityController({
      context,
      remotes: this.#remotes,
      checked(name) {
        discovery.checked(name);
        openApi.checked(name);
      },
    });
    this.#custom = new CustomApiServices(options);
    this.#proxy = {
      forwarding: new Forwarding(context.names, options.identityFields, options.traceHeaders),
      dialer,
      identities: new IdentityFieldsCache(),
      clock: context.env.clock,
      failed: ({ declared }) => this.#availability.recheck(declared.name),
    };
  }

  /** Follows API services, checks extension API servers and keeps local API services until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = this.#remotes.follow();
    try {
      const parts = [this.#availability, this.#custom, this.#discovery, this.#openApi];
      await Promise.all(parts.map((part) => part.run(signal)));
    } finally {
      stop();
    }
  }

  /** The group versions of extension API servers, for discovery. */
  get extensions(): ExtensionApis {
    return this.#discovery;
  }

  /** The published schemas of extension API servers, for OpenAPI. */
  get schemas(): ExtensionSchemas {
    return this.#openApi;
  }

  /** Reports whether an extension API server has named a resource. */
  servesResource(info: ResourceRequest): boolean {
    return !this.#remotes.isEmpty && this.#discovery.servesResource(info);
  }

  /** Whether an API service names an extension API server. */
  get hasExtensions(): boolean {
    return !this.#remotes.isEmpty;
  }

  /** Reports whether an extension API server serves a group version, which this server may declare too. */
  servesVersion(group: string, version: string): boolean {
    return this.#remotes.find(group, version) !== undefined;
  }

  /** Serves requests for resources of extension API servers, and passes all others to `local`. */
  resources(local: Handler<ResourceContext>): Handler<ResourceContext> {
    return (call) => {
      const remote = this.#remotes.find(call.info.group, call.info.version);
      return remote === undefined ? local(call) : proxyRequest(this.#proxy, remote, call);
    };
  }

  /** Adds the documents of extension API servers to a route for `/apis`: those of their group versions are proxied. */
  route(local: Route): Route {
    return { ...local, handle: (call) => this.#document(call) ?? local.handle(call) };
  }

  #document(call: Authorized) {
    if (this.#remotes.isEmpty || call.info.isResource) return undefined;
    const [, , group = '', version = '', ...rest] = call.info.path.split('/');
    // A final slash is part of the path.
    if (rest.length > 1 || (rest[0] ?? '') !== '') return undefined;
    const remote = this.#remotes.find(group, version);
    if (remote === undefined) return undefined;
    const send = call.request.method === 'GET' ? proxyDocument : proxyRequest;
    return send(this.#proxy, remote, call);
  }
}

function backendsOf(
  options: AggregatorOptions,
  dialer: BackendDialer,
): (declared: RemoteApiService) => Backend {
  const { context, identity = () => undefined, machineAddresses = () => [] } = options;
  const { clock, random } = context.env;
  const limits = { ...defaultConnectionLimits, ...options.limits };
  const caches = endpointCaches(context);
  const apiServers = { names: context.names, ofMachine: machineAddresses };
  const connected = certificateNamesCounter(
    context.env.metrics,
    context.names.metric('apiserver_orch_aggregator_x509_missing_san_total'),
    'extension API servers',
  );
  return (declared) =>
    new Backend({
      declared,
      connected,
      endpoints: new ServiceEndpoints({ declared, caches, apiServers }),
      identity,
      dialer,
      clock,
      random,
      limits,
      openConnections: options.openConnections,
    });
}

/** The resources are looked up once: requests read them often. */
function endpointCaches({ objects }: ServerContext): EndpointCaches {
  const found = new Map<string, ReturnType<EndpointCaches>>();
  return (resource) => {
    if (!found.has(resource)) found.set(resource, objects.resource(groupOf(resource), resource));
    return found.get(resource);
  };
}
