import { ApiError, type ApiObject, type Names } from '@orch/machinery';
import type { Revision } from '@orch/storage';
import type { UserInfo } from '../pipeline/types.ts';
import type { RegistryContext } from '../registry/resource/registry-context.ts';
import type { StoredResource } from '../registry/resource/served-resource.ts';
import { objectKey } from '../registry/resource/store-keys.ts';
import { createObject } from '../registry/verbs/create.ts';
import { changeTo } from '../registry/verbs/update.ts';
import { type Changed, changeObject } from '../registry/write/change-object.ts';

/** Who writes what the server keeps for itself. */
export const serverUser = (names: Names): UserInfo => ({
  name: names.users.apiserver,
  uid: '',
  groups: [names.userGroups.masters],
  extra: {},
});

/** A resource by the key of its group, in the first version that is served; undefined when the release has none. */
export function findResource(
  context: RegistryContext,
  group: string,
  resource: string,
): StoredResource | undefined {
  const found = context.table.all.find(({ type }) => type.group === group && type.resource === resource);
  return found === undefined ? undefined : context.stored(found);
}

export interface OwnObject {
  readonly resource: StoredResource;
  readonly namespace: string;
  readonly name: string;
  /** What a new one begins with, where it is not the usual. */
  readonly status?: Readonly<Record<string, unknown>>;
}

/** An object of the hub version as a client of the served version would send it. */
export const servedContent = ({ form, codec }: StoredResource, hub: ApiObject, name: string): ApiObject =>
  codec.decode(form.lower({ ...hub, metadata: { ...hub.metadata, name } }), { defaults: true }).value;

/** Creates an object, given in the hub version. False when it is there already: another replica may have been faster. */
export async function createOwn(
  context: RegistryContext,
  { resource, namespace, name, status }: OwnObject,
  hub: ApiObject,
  signal: AbortSignal,
): Promise<boolean> {
  const sent = servedContent(resource, hub, name);
  const user = serverUser(context.names);
  const place = { namespace, user, dryRun: false, signal, ...(status === undefined ? {} : { status }) };
  try {
    await createObject(context, resource, sent, place);
    return true;
  } catch (cause) {
    if (cause instanceof ApiError && cause.status.reason === 'AlreadyExists') return false;
    throw cause;
  }
}

/** Changes an object in the hub version, in place; undefined when there is none. */
export function changeOwn(
  context: RegistryContext,
  { resource, namespace, name }: OwnObject,
  change: (object: ApiObject) => void,
  signal: AbortSignal,
): Promise<Changed | undefined> {
  return changeObject(context, resource, {
    key: objectKey(resource.type.namespaced, namespace, name),
    name,
    user: serverUser(context.names),
    admittedAs: 'nothing',
    dryRun: false,
    signal,
    decide(current) {
      change(current.object);
      return changeTo(resource, current.object, current);
    },
  });
}

/** Removes an object in the state that it has at a revision; nothing happens when it has another. */
export async function removeOwn(
  context: RegistryContext,
  { resource, namespace, name }: OwnObject,
  expected: Revision,
  signal: AbortSignal,
): Promise<void> {
  const key = resource.keyPrefix + objectKey(resource.type.namespaced, namespace, name);
  await context.store.commit({ op: 'delete', key, expected }, signal);
}

/** Makes an object what it is to be: changes it when it is there, else creates it. */
export async function ensureOwn(
  context: RegistryContext,
  own: OwnObject,
  { fresh, change }: { readonly fresh: ApiObject; readonly change: (object: ApiObject) => void },
  signal: AbortSignal,
): Promise<void> {
  if ((await changeOwn(context, own, change, signal)) !== undefined) return;
  if (await createOwn(context, own, fresh, signal)) return;
  await changeOwn(context, own, change, signal);
}
