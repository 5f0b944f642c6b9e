import type { Release } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import type { ApiClient } from '@orch/testkit';
import { manifestsOf, readManifests } from '../../lifecycle/manifests.ts';

/** A path at which objects are read or written. */
export interface Target {
  /** Collection, object or subresource. */
  readonly path: string;
  readonly place: 'collection' | 'object' | 'subresource';
  /** A valid body for it; undefined when none is known. */
  readonly body: unknown;
  /** Methods of the path. */
  readonly methods: readonly string[];
  /** Valid writes would change the results of other requests: they are dry runs. */
  readonly isDry: boolean;
}

const names = namesFor('orch');

interface Listed {
  readonly name: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

const methodsOf: Readonly<Record<Target['place'], Readonly<Record<string, string>>>> = {
  collection: { list: 'GET', create: 'POST', deletecollection: 'DELETE' },
  object: { get: 'GET', update: 'PUT', patch: 'PATCH', delete: 'DELETE' },
  subresource: { get: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH' },
};

/** Resources that affect other requests when they are written. */
const decisive =
  /webhookconfigurations|admissionpolic|apiservices|customresourcedefinitions|flowschemas|prioritylevelconfigurations|namespaces|resourcequotas|limitranges|podsecuritypolicies/;

/** Every resource and subresource that discovery lists, each as a collection and as an object. */
export async function readTargets(api: ApiClient, release: Release): Promise<readonly Target[]> {
  const groups = ((await api.get('/apis')).json as { groups: { versions: { groupVersion: string }[] }[] })
    .groups;
  const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  const all = ['v1', ...versions].map(async (groupVersion) => {
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    const { resources } = (await api.get(root)).json as { resources: Listed[] };
    const kinds = new Map(resources.map(({ name, kind }) => [name, kind]));
    return resources.flatMap((listed) => targetsOf(listed, { release, root, groupVersion, kinds }));
  });
  return (await Promise.all(all)).flat();
}

interface Version {
  readonly release: Release;
  readonly root: string;
  readonly groupVersion: string;
  /** By the name of the resource. */
  readonly kinds: ReadonlyMap<string, string>;
}

function targetsOf(listed: Listed, { release, root, groupVersion, kinds }: Version): Target[] {
  const rightBody = (apiVersion: string, kind: string): unknown => {
    const [manifest] = manifestsOf(readManifests(names), { apiVersion, kind, release });
    return manifest?.object ?? { apiVersion, kind, metadata: { name: 'made' } };
  };
  const [resource = '', subresource] = listed.name.split('/');
  const own =
    listed.version === undefined ? groupVersion : [listed.group, listed.version].filter(Boolean).join('/');
  const body = rightBody(own, listed.kind);
  const collection = `${root}/${listed.namespaced ? 'namespaces/default/' : ''}${resource}`;
  const object = `${collection}/${nameOf(rightBody(groupVersion, kinds.get(resource) ?? listed.kind))}`;
  const isDry = decisive.test(resource);
  const target = (path: string, place: Target['place']): Target => {
    const methods = listed.verbs.flatMap((verb) => methodsOf[place][verb] ?? []);
    return { path, place, body, isDry, methods };
  };
  if (subresource !== undefined) return [target(`${object}/${subresource}`, 'subresource')];
  return [target(collection, 'collection'), target(object, 'object')];
}

const nameOf = (body: unknown): string => (body as { metadata?: { name?: string } }).metadata?.name ?? 'made';
