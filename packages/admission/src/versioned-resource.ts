import type { ApiObject } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';

/** A resource in the form of paths: `apps`, `v1`, `deployments`. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A kind in the form of objects: `autoscaling`, `v1`, `Scale`. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * A resource or one of its subresources in a served version: what the rules of webhooks and policies select, and the version
 * in which these receive objects.
 */
export interface VersionedResource {
  readonly resource: GroupVersionResource;
  /** `''` for the resource itself. */
  readonly subresource: string;
  /** Kind of the objects that are admitted: `Scale` for the subresource `scale` of every resource. */
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** Whether objects of the kind have metadata; options of connections have none. */
  readonly hasMetadata: boolean;
  /** Whether objects of the kind contain credentials: messages and annotations must not repeat their values. */
  readonly holdsCredentials: boolean;
  /**
   * The same resource or subresource in the other groups and versions that are served now. The array is the same one while
   * the served resources do not change.
   */
  equivalents(): readonly VersionedResource[];
  /** Converts an object of the hub version, which is not changed; the result may share values with it. */
  fromHub(hub: ApiObject, signal: AbortSignal): ApiObject | Promise<ApiObject>;
  /**
   * Decodes an object of this version with defaults and converts it to the hub version. Disabled fields are dropped unless
   * `old`, in the hub version, has them. Throws `ApiError` for a value that is not an object of the kind.
   */
  toHub(value: unknown, old: ApiObject | undefined, signal: AbortSignal): ApiObject | Promise<ApiObject>;
  /**
   * Merges a configuration into an object of this version, which is not changed: items of lists with keys by their
   * keys. Returns the error of the configuration as a string.
   */
  merge(object: ApiObject, configuration: JsonObject): JsonObject | string;
}
