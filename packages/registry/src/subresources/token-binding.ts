import { atLeast } from '@orch/apis';
import type { RequestedToken } from '@orch/auth';
import type { BoundObjectReference, TokenRequest } from '@orch/kinds/authentication';
import type { Pod } from '@orch/kinds/core';
import { type ApiObject, errors } from '@orch/machinery';
import { parseJson } from '@orch/machinery/json';
import type { RequestPath, ResourceLookup } from '../context/paths.ts';
import { type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { objectKey } from '../resource/store-keys.ts';
import { isWebhookConfiguration } from './token-attestations.ts';

interface Wanted {
  /** Key in the resource. */
  readonly key: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

/** The current object, after the cache is fresh. Rejects with 404. */
export async function currentObject(
  resource: StoredResource,
  { key, name, signal }: Wanted,
): Promise<ApiObject> {
  await resource.cache.waitFresh({ kind: 'mostRecent' }, signal);
  const object = cachedObject(resource, key);
  if (object === undefined) throw errors.notFound(subjectOf(resource, name));
  return object;
}

function cachedObject({ cache }: StoredResource, key: string): ApiObject | undefined {
  const object = cache.get(key);
  return object === undefined ? undefined : (parseJson(object.json()) as ApiObject);
}

/** The namespace and the account that a token is for. */
interface Owner {
  readonly namespace: string;
  readonly name: string;
  readonly signal: AbortSignal;
}

type BindingPath = ResourceLookup & Pick<RequestPath, 'features' | 'names' | 'release'>;

type Binding = Pick<RequestedToken, 'boundTo' | 'podNode'>;

const bindable = { Pod: 'pod', Secret: 'secret', Node: 'node' } as const;

/**
 * The object to which the token is bound: it must exist, have the given uid, and belong to the account unless it is a node.
 * That of a pod comes with the node of the pod.
 */
export async function boundObject(path: BindingPath, { spec }: TokenRequest, owner: Owner): Promise<Binding> {
  const ref = spec?.boundObjectRef ?? undefined;
  if (ref === undefined) return {};
  const { name = '', uid: refUid = '' } = ref;
  const kind = boundKind(path, ref);
  const { signal } = owner;
  const key = kind === 'Node' ? name : objectKey(true, owner.namespace, name);
  const object = await currentObject(coreResource(path, `${bindable[kind]}s`), { key, name, signal });
  if (kind === 'Pod') checkAccount(object, owner.name);
  const { uid = '' } = object.metadata;
  if (refUid !== '' && refUid !== uid) {
    throw errors.conflictingValue(
      { group: '', kind, name },
      `the UID in the bound object reference (${refUid}) does not match the UID in record. The object might have been deleted and then recreated`,
      'the UID in the bound object reference does not match the UID in record. The object might have been deleted and then recreated',
    );
  }
  const podNode = kind === 'Pod' ? await nodeOf(path, object, signal) : undefined;
  return { boundTo: { kind: bindable[kind], name, uid }, ...(podNode === undefined ? {} : { podNode }) };
}

function boundKind(path: BindingPath, ref: BoundObjectReference): keyof typeof bindable {
  const { features, names, release } = path;
  const { kind = '', apiVersion = '' } = ref;
  // Only the group matters, not the version; the core group has none.
  const isCore = !apiVersion.includes('/');
  if (isCore && (kind === 'Pod' || kind === 'Secret')) return kind;
  if (isCore && kind === 'Node' && atLeast(release, '1.29')) {
    if (features.nodeTokens) return kind;
    const gate = JSON.stringify(names.featureGate('ServiceAccountTokenNodeBinding'));
    throw errors.malformedRequest(
      `cannot bind token to a Node object as the ${gate} feature-gate is disabled`,
    );
  }
  if (isWebhookConfiguration(path, ref)) {
    const gate = names.featureGate('APIServerWebhookAuthenticationToken');
    throw errors.malformedRequest(
      `cannot bind token to object of type ${apiVersion}, Kind=${kind} (feature gate ${gate} is disabled)`,
    );
  }
  throw errors.badRequest(
    `cannot bind token to object of type ${apiVersion}, Kind=${kind}`,
    `cannot bind token to an object that is neither a pod nor a secret${features.nodeTokens ? ' nor a node' : ''}`,
  );
}

function checkAccount({ spec }: Pod, account: string): void {
  if (spec?.serviceAccountName === account) return;
  throw errors.malformedRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
  );
}

/**
 * The node of a pod. The cached one suffices: the token does not depend on it. A node that does not exist, also after all
 * writes so far, has a name only.
 */
async function nodeOf(
  path: BindingPath,
  { spec }: Pod,
  signal: AbortSignal,
): Promise<RequestedToken['podNode']> {
  const name = spec?.nodeName ?? '';
  if (!path.features.podNodesInTokens || name === '') return undefined;
  const nodes = coreResource(path, 'nodes');
  const cached = cachedObject(nodes, name);
  if (cached === undefined) await nodes.cache.waitFresh({ kind: 'mostRecent' }, signal);
  return { name, uid: (cached ?? cachedObject(nodes, name))?.metadata.uid };
}

function coreResource(path: ResourceLookup, name: string): StoredResource {
  const resource = path.table.find('', 'v1', name);
  if (resource === undefined) throw errors.resourceNotFound();
  return path.stored(resource);
}
