import type { ApiClient } from './api-client.ts';

interface ListedResource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** A request of a verb for a resource, to an object that need not exist. */
export interface SampleRequest {
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
}

type Target = readonly [method: string, path: string, body?: object];

const targets: Readonly<Record<string, (collection: string) => Target>> = {
  get: (collection) => ['GET', `${collection}/x`],
  list: (collection) => ['GET', collection],
  create: (collection) => ['POST', collection, {}],
  update: (collection) => ['PUT', `${collection}/x`, {}],
  patch: (collection) => ['PATCH', `${collection}/x`, {}],
  delete: (collection) => ['DELETE', `${collection}/x`],
};

/** One request for every verb of every served resource, by discovery, and lists of all namespaces and applies besides. */
export async function everyRequest(client: ApiClient): Promise<readonly SampleRequest[]> {
  const groups = (await client.get('/apis')).json as {
    readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
  };
  const versions = groups.groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`);
  const lists = await Promise.all(
    ['/api/v1', ...versions].map(async (base) => {
      const { resources } = (await client.get(base)).json as {
        readonly resources: readonly ListedResource[];
      };
      return resources.flatMap((resource) => requestsOf(base, resource));
    }),
  );
  return lists.flat();
}

function requestsOf(base: string, { name, namespaced, verbs }: ListedResource): readonly SampleRequest[] {
  const [resource = '', subresource = ''] = name.split('/');
  const collection = namespaced ? `${base}/namespaces/default/${resource}` : `${base}/${resource}`;
  return verbs.flatMap((verb) => {
    const [method, target, body] = targets[verb]?.(collection) ?? [];
    if (method === undefined || target === undefined) return [];
    const path = subresource === '' ? target : `${target}/${subresource}`;
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const request = { verb, method, path, contentType, ...(body === undefined ? {} : { body }) };
    if (!namespaced) return [request];
    if (verb === 'list') return [request, { ...request, path: `${base}/${resource}` }];
    if (verb !== 'patch' || subresource !== '') return [request];
    const apply = { path: `${path}?fieldManager=m`, contentType: 'application/apply-patch+yaml' };
    return [request, { ...request, ...apply, verb: 'apply' }];
  });
}
