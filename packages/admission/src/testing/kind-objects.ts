import type { ObjectSource } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import type { KindObjects } from '../policies/param-objects.ts';

/** Objects of some kinds, from the source that also has the policies. */
export const objectsOfKinds =
  (
    source: ObjectSource,
    kinds: Readonly<Record<string, { readonly resource: string; readonly namespaced: boolean }>>,
  ) =>
  (apiVersion: string, kind: string): KindObjects | undefined => {
    const found = kinds[`${apiVersion} ${kind}`];
    if (found === undefined) return undefined;
    const { resource, namespaced } = found;
    const all = (): readonly ApiObject[] => source.list(resource).map((object) => object.read());
    return {
      namespaced,
      get: async ({ namespace, name }) => source.get(resource, namespace, name),
      list: async (namespace, selector) =>
        all().filter(
          ({ metadata }) =>
            (metadata.namespace ?? '') === namespace && selector.matches(metadata.labels ?? {}),
        ),
    };
  };
