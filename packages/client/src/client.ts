import type { ApiObject, Names } from '@orch/machinery';
import type { Discovery } from './discovery/types.ts';
import type { HistoryClient } from './rest/history-client.ts';
import type { StreamRequest } from './rest/requester.ts';
import type { TableClient } from './rest/table-client.ts';
import type { Resource, ResourceClient, TypedResource } from './rest/types.ts';
import type { Transport, TransportRequest } from './transport/transport.ts';

/** The client of one identity for one server. */
export interface Client {
  readonly names: Names;
  readonly transport: Transport;
  readonly discovery: Discovery;
  /** All verbs of a resource. `T` is the type of its objects: that of the resource, or as given by the caller. */
  resource<T extends ApiObject = ApiObject>(
    resource: TypedResource<T>,
    namespace?: string,
  ): ResourceClient<T>;
  /**
   * The same verbs, but objects in responses and watches have only their metadata (PartialObjectMetadata, with the kind of
   * the resource) if the server supports it. Written objects are whole: patches are possible, while updates would remove
   * all other fields.
   */
  metadata(resource: Resource, namespace?: string): ResourceClient;
  /** Reads of a resource as tables, for people. */
  tables(resource: Resource, namespace?: string): TableClient;
  /** Earlier states of a resource, on servers that keep a history. */
  history(resource: Resource, namespace?: string): HistoryClient;
  /**
   * A request outside of the resource paths. Resolves with parsed JSON, or with text for other content; rejects like
   * `ResourceClient`.
   */
  raw(request: TransportRequest, signal?: AbortSignal): Promise<unknown>;
  /** The same request, with the bytes of its response. */
  rawBody(request: TransportRequest, signal?: AbortSignal): Promise<Uint8Array>;
  /** The chunks of a successful response without a limit of its size or duration, such as a log. */
  rawStream(request: StreamRequest, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}
