import { type EndpointAddress, externalNameOf, serviceEndpoints } from '@orch/connect';
import { type ApiObject, asObjects, asText, specOf } from '@orch/machinery';
import { type AcceptsAddress, isHostName } from '@orch/outbound';
import { type CoreObjects, type CoreResource, type InternalResource, objectKey } from '@orch/registry';
import type { RemoteApiService } from '../api-services/api-service.ts';
import { type Availability, type AvailabilityReason, unavailable } from '../api-services/availability.ts';
import { type ApiServerAddresses, hasManualEndpoints, notApiServers } from './manual-endpoints.ts';

/** Caches of the resources that lead to an endpoint. */
export type CoreCaches = (resource: CoreResource) => InternalResource | undefined;

/** What the objects of a service say about its endpoints. */
export type EndpointState =
  | { readonly kind: 'endpoints'; readonly endpoints: readonly EndpointAddress[] }
  | { readonly kind: 'missing'; readonly availability: Availability };

/** An object that was read, and its revision then; undefined when it did not exist. */
interface Read {
  readonly resource: CoreResource;
  readonly key: string;
  readonly revision: number | undefined;
}

export interface ServiceEndpointsOptions {
  readonly declared: RemoteApiService;
  readonly caches: CoreCaches;
  readonly apiServers: ApiServerAddresses;
}

/**
 * The endpoints of a service, which this server chooses itself: ready addresses of pods in the namespace of the service, and
 * other ones of a service without a selector. They are computed again when an object that they were computed from has changed.
 */
export class ServiceEndpoints {
  readonly #options: ServiceEndpointsOptions;
  #reads: readonly Read[] = [];
  #state: EndpointState | undefined;

  constructor(options: ServiceEndpointsOptions) {
    this.#options = options;
  }

  current(): EndpointState {
    if (this.#state !== undefined && this.#reads.every((read) => this.#isCurrent(read))) return this.#state;
    const objects = new RecordedObjects(this.#options.caches);
    this.#state = endpointState(objects, this.#options);
    this.#reads = objects.reads;
    return this.#state;
  }

  /** Whether the name of a service of type ExternalName may lead to an address. */
  readonly accepts: AcceptsAddress = (address) => {
    const { caches, apiServers } = this.#options;
    return notApiServers(new RecordedObjects(caches), apiServers)(address);
  };

  /** Whether the endpoints were computed from an object, or from its absence. */
  dependsOn(resource: CoreResource, key: string): boolean {
    return this.#reads.some((read) => read.key === key && read.resource === resource);
  }

  #isCurrent({ resource, key, revision }: Read): boolean {
    return this.#options.caches(resource)?.cache.get(key)?.rev === revision;
  }
}

function endpointState(
  objects: RecordedObjects,
  { declared, apiServers }: ServiceEndpointsOptions,
): EndpointState {
  const { namespace, name, port } = declared.service;
  const title = `service/${name} in ${JSON.stringify(namespace)}`;
  const found = objects.find('services', namespace, name);
  if (found === undefined) return absent(objects, serviceReasons, title);
  const external = externalNameOf(found);
  if (external !== undefined) return externalEndpoint(external, declared, title);
  const { ports } = specOf(found);
  const listening = asObjects(ports).find((one) => one['port'] === port);
  if (listening === undefined)
    return missing(unavailable('ServicePortError', `${title} is not listening on port ${port}`));
  if (objects.find('endpoints', namespace, name) === undefined)
    return absent(objects, endpointsReasons, title);
  const portName = asText(listening['name']);
  const manual = hasManualEndpoints(found, declared)
    ? { accepts: notApiServers(objects, apiServers) }
    : undefined;
  const endpoints = serviceEndpoints(objects, declared.service, { portName, ...manual });
  if (endpoints.length > 0) return { kind: 'endpoints', endpoints };
  const which = `port name ${JSON.stringify(portName)} that this server may connect to`;
  const message = `endpoints for ${title} have no addresses with ${which}`;
  return missing(unavailable('MissingEndpoints', message));
}

/** The name is resolved with each connection. The author of the service chooses the server: its certificate must prove its name. */
function externalEndpoint(
  host: string,
  { service: { port }, trust }: RemoteApiService,
  title: string,
): EndpointState {
  const reason = 'MissingEndpoints';
  if (trust.insecure)
    return missing(
      unavailable(reason, `${title} is of type ExternalName, which needs a verified certificate`),
    );
  if (!isHostName(host))
    return missing(unavailable(reason, `${title} has an external name that this server may not connect to`));
  return { kind: 'endpoints', endpoints: [{ host, port }] };
}

/** How an object that was not found is reported. */
interface AbsentReasons {
  readonly absent: (title: string) => Availability;
  readonly unreadable: AvailabilityReason;
}

const serviceReasons: AbsentReasons = {
  absent: (title) => unavailable('ServiceNotFound', `${title} is not present`),
  unreadable: 'ServiceAccessError',
};
const endpointsReasons: AbsentReasons = {
  absent: (title) => unavailable('EndpointsNotFound', `cannot find endpoints for ${title}`),
  unreadable: 'EndpointsAccessError',
};

/** For the object that was looked up last. An object that cannot be read is there: nothing is known about it. */
function absent({ reads }: RecordedObjects, reasons: AbsentReasons, title: string): EndpointState {
  if (reads.at(-1)?.revision === undefined) return missing(reasons.absent(title));
  const message = `${title} cannot be checked: the stored object cannot be read`;
  return missing({ status: 'Unknown', reason: reasons.unreadable, message });
}

const missing = (availability: Availability): EndpointState => ({ kind: 'missing', availability });

/** Cached objects of the core group; it records what was looked up. */
class RecordedObjects implements Pick<CoreObjects, 'find'> {
  readonly reads: Read[] = [];
  readonly #caches: CoreCaches;

  constructor(caches: CoreCaches) {
    this.#caches = caches;
  }

  find(resource: CoreResource, namespace: string, name: string): ApiObject | undefined {
    if (name.includes('/') || namespace.includes('/')) return undefined;
    const state = this.#caches(resource)?.cachedState({ namespace, name });
    const key = objectKey(namespace !== '', namespace, name);
    const revision = this.#caches(resource)?.cache.get(key)?.rev;
    this.reads.push({ resource, key, revision });
    return state?.object;
  }
}
