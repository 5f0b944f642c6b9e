import { type EndpointAddress, externalNameOf, serviceEndpoints } from '@orch/connect';
import { type AcceptsAddress, isHostName } from '@orch/outbound';
import type { RemoteApiService } from '../api-services/api-service.ts';
import { type Availability, type AvailabilityReason, unavailable } from '../api-services/availability.ts';
import { type ApiServerAddresses, hasManualEndpoints, notApiServers } from './manual-endpoints.ts';
import {
  type EndpointCaches,
  type EndpointResource,
  type Labels,
  RecordedObjects,
} from './recorded-objects.ts';

/** The state of a service's endpoints according to its objects. */
export type EndpointState =
  | { readonly kind: 'endpoints'; readonly endpoints: readonly EndpointAddress[] }
  | { readonly kind: 'missing'; readonly availability: Availability };

export interface ServiceEndpointsOptions {
  readonly declared: RemoteApiService;
  readonly caches: EndpointCaches;
  readonly apiServers: ApiServerAddresses;
}

/**
 * The endpoints of a service, which this server chooses itself: ready addresses of pods in the namespace of the service, and
 * other ones of a service without a selector. They are computed again when an object that they were computed from has changed.
 */
export class ServiceEndpoints {
  readonly #options: ServiceEndpointsOptions;
  #objects: RecordedObjects | undefined;
  #state: EndpointState | undefined;

  constructor(options: ServiceEndpointsOptions) {
    this.#options = options;
  }

  current(): EndpointState {
    if (this.#state !== undefined && this.#objects?.isCurrent() === true) return this.#state;
    this.#objects = this.#record();
    this.#state = endpointState(this.#objects, this.#options);
    return this.#state;
  }

  /** Whether the name of a service of type ExternalName may lead to an address. */
  readonly accepts: AcceptsAddress = (address) => {
    return notApiServers(this.#record(), this.#options.apiServers)(address);
  };

  /** Reports whether the endpoints were computed from an object, or from its absence; `labels` are its current labels. */
  dependsOn(resource: EndpointResource, key: string, labels: Labels | undefined): boolean {
    return this.#objects?.contains(resource, key, labels) === true;
  }

  #record(): RecordedObjects {
    const { caches, apiServers } = this.#options;
    return new RecordedObjects(caches, apiServers.names);
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
  const listening = found.spec?.ports?.find((one) => one.port === port);
  if (listening === undefined)
    return missing(unavailable('ServicePortError', `${title} is not listening on port ${port}`));
  if (objects.find('endpoints', namespace, name) === undefined) {
    const state = absent(objects, endpointsReasons, title);
    if (objects.slices(namespace, name).length === 0) return state;
  }
  const portName = listening.name ?? '';
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

/** The message about an object that was not found. */
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

/**
 * The failure for the object that was looked up last. An object that cannot be read exists, but nothing is known about
 * it.
 */
function absent({ last }: RecordedObjects, reasons: AbsentReasons, title: string): EndpointState {
  if (last?.revision === undefined) return missing(reasons.absent(title));
  const message = `${title} cannot be checked: the stored object cannot be read`;
  return missing({ status: 'Unknown', reason: reasons.unreadable, message });
}

const missing = (availability: Availability): EndpointState => ({ kind: 'missing', availability });
