import type { ApiObject } from '@orch/machinery';
import type { ResourceType, Strategy, Subresource, Verb } from './resource-type.ts';

/** Verbs of an ordinary stored resource, in discovery order. */
export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** Verbs of a subresource that is a view of its object. */
const viewVerbs: readonly Verb[] = ['get', 'patch', 'update'];

/** Verbs of a subresource that forwards requests of any method. */
const proxyVerbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update'];

type Defaulted =
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'verbs'
  | 'nameFormat'
  | 'subresources'
  | 'fields';

/** The declaration of a resource: everything with a default may be omitted. */
export type ResourceDeclaration = Omit<ResourceType, Defaulted> & Partial<Pick<ResourceType, Defaulted>>;

/** A resource definition with defaults: all verbs, names as DNS subdomains. */
export function defineResource(declared: ResourceDeclaration): ResourceType {
  return {
    singular: declared.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: allVerbs,
    nameFormat: 'dns1123subdomain',
    subresources: [],
    fields: {},
    ...declared,
  };
}

/** The most common strategy, overridden by that of a kind. */
export const strategyOf = <T = ApiObject>(different: Partial<Strategy<T>> = {}): Strategy<T> => ({
  createOnUpdate: false,
  unconditionalUpdate: true,
  generation: 'none',
  resetStatus: false,
  deleteReturns: 'Status',
  ...different,
});

/** `/status` of a kind of the core group or of `group`. */
export const statusSubresource = (kind: string, group = '', version = 'v1'): Subresource => ({
  name: 'status',
  kind: { group, version, kind },
  verbs: viewVerbs,
  behaviour: 'status',
});

/** `/scale`, always as `autoscaling/v1` Scale. */
export const scaleSubresource: Subresource = {
  name: 'scale',
  kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  verbs: viewVerbs,
  behaviour: 'scale',
};

/** `/proxy` of a kind of the core group; `kind` is that of its options. */
export const proxySubresource = (kind: string): Subresource => ({
  name: 'proxy',
  kind: { group: '', version: 'v1', kind },
  verbs: proxyVerbs,
  behaviour: 'proxy',
});
