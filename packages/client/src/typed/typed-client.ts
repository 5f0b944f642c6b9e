import type { ApiObject } from '@orch/machinery';
import type { Client } from '../client.ts';
import type { ResourceClient, TypedResource } from '../rest/types.ts';
import { builtinResources } from '../types/builtin-resources.ts';

/** Every built-in resource as a tree of groups, versions and plurals. */
export type BuiltinResources = ReturnType<typeof builtinResources>;

/** The objects of a resource. */
export type ObjectOf<R> = R extends TypedResource<infer T> ? T : never;

type ClientsOf<Versions> = {
  readonly [V in keyof Versions]: {
    readonly [P in keyof Versions[V]]: ResourceClient<ObjectOf<Versions[V][P]>>;
  };
};

/** The verbs of every built-in resource: `typed(client).apps.v1.deployments.in('default').get('web')`. */
export type TypedClient = { readonly [G in keyof BuiltinResources]: ClientsOf<BuiltinResources[G]> };

/** Clients of all built-in resources, in `namespace` or, without one, in all namespaces. The server may not serve all. */
export function typed(client: Client, namespace?: string): TypedClient {
  const clientOf = (resource: TypedResource<ApiObject>): ResourceClient =>
    client.resource(resource, namespace);
  const ofVersion = (resources: object) => mapValues(resources, clientOf);
  const ofGroup = (versions: object) => mapValues(versions, ofVersion);
  return mapValues(builtinResources(client.names), ofGroup) as unknown as TypedClient;
}

const mapValues = <A, B>(tree: object, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, change(value as A)]));
