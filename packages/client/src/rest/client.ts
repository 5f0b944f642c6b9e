import type { ApiObject, Names } from '@orch/machinery';
import type { Discovery } from '../discovery/types.ts';
import type { Transport, TransportRequest } from '../transport/transport.ts';
import type { Resource, ResourceClient, TypedResource } from './types.ts';

/** Everything that one identity does with one server. */
export interface Client {
  readonly names: Names;
  readonly transport: Transport;
  readonly discovery: Discovery;
  /** All verbs of a resource. `T` is that of the resource, or the caller's word for the form of the objects. */
  resource<T extends ApiObject = ApiObject>(
    resource: TypedResource<T>,
    namespace?: string,
  ): ResourceClient<T>;
  /**
   * The same verbs, but objects in answers and watches have nothing but their metadata (PartialObjectMetadata, under the
   * kind of the resource), where the server can leave out the rest. What is written is whole: patches fit, updates would
   * take everything away.
   */
  metadata(resource: Resource, namespace?: string): ResourceClient;
  /**
   * A request outside of the resource paths, answered as parsed JSON, or as text where it is not JSON; rejects like
   * `ResourceClient`.
   */
  raw(request: TransportRequest, signal?: AbortSignal): Promise<unknown>;
}
