import type { ApiObject } from '@orch/machinery';
import type { Client } from '../client.ts';
import { lazyMembers } from '../lazy/lazy-members.ts';
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

/**
 * Clients of all built-in resources, in `namespace` or, without one, in all namespaces; each is made when it is first read. The
 * server may not serve all.
 */
export function typed(client: Client, namespace?: string): TypedClient {
  const tree: Tree<Tree<Tree<TypedResource<ApiObject>>>> = builtinResources(client.names);
  return mapLazily(tree, (versions) =>
    mapLazily(versions, (resources) =>
      mapLazily(resources, (resource) => client.resource(resource, namespace)),
    ),
  ) as unknown as TypedClient;
}

type Tree<T> = Readonly<Record<string, T>>;

const mapLazily = <A, B>(tree: Tree<A>, change: (member: A) => B): Tree<B> =>
  lazyMembers(Object.fromEntries(Object.keys(tree).map((name) => [name, () => change(tree[name] as A)])));
