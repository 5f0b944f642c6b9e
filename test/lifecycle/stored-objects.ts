import assert from 'node:assert/strict';
import { builtinTypes, type ResourceType } from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { assertKept } from './assert-kept.ts';
import type { TypedObject } from './client.ts';
import { manifestsOf, readManifests } from './manifests.ts';
import { collectionOf, type ServedKind } from './served-kinds.ts';
import { withoutRevision } from './steps/context.ts';

/** The naming of servers whose objects these functions write and read. */
export const names = namesFor('kubernetes');

/** An object that a release has stored, as that release shows it. */
export interface StoredObject {
  readonly served: ServedKind;
  readonly name: string;
  readonly object: TypedObject;
}

interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** A server in this process, or a client of another one. */
export interface ObjectServer {
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
}

export const titleOf = ({ served: { apiVersion, kind, release }, name }: StoredObject): string =>
  `${apiVersion} ${kind} ${name} of release ${release}`;

const isStored = ({ storageVersionHash, verbs }: ServedKind): boolean =>
  storageVersionHash !== undefined && verbs.includes('create');

/** The declaration of a kind; two kinds of different releases may have one name. */
export const typeOf = ({ group, version, resource }: ServedKind): ResourceType | undefined =>
  builtinTypes.find(
    (type) =>
      type.resource === resource &&
      type.versions.some((one) => one.version === version && names.group(one.group ?? type.group) === group),
  );

/** Writes the objects of all manifests of these kinds, and returns those that were not there. */
export async function storeAll(
  api: ObjectServer,
  kinds: readonly ServedKind[],
): Promise<readonly StoredObject[]> {
  const stored: StoredObject[] = [];
  for (const served of kinds.filter(isStored))
    for (const { object } of manifestsOf(readManifests(names), served)) {
      const one = await store(api, served, object);
      if (one !== undefined) stored.push(one);
    }
  return stored;
}

/** An object whose name has the version and release in it, unless the kind determines the name: then the first writes the object. */
async function store(
  api: ObjectServer,
  served: ServedKind,
  object: TypedObject,
): Promise<StoredObject | undefined> {
  const own = `${object.metadata.name}-${served.version}-${served.release.replace('.', '-')}`;
  const named = { ...object, metadata: { ...object.metadata, name: own } };
  const collection = collectionOf(served);
  const created = await api.post(collection, named);
  const second = created.status === 201 ? created : await api.post(collection, object);
  if (second.status === 409) return undefined;
  assert.equal(second.status, 201, `${served.apiVersion} ${served.kind}: ${JSON.stringify(second.json)}`);
  const { name } = (second.json as TypedObject).metadata;
  assert.ok(name !== undefined);
  assertKept(name === own ? named : object, second.json);
  return { served, name, object: second.json as TypedObject };
}

/**
 * Reports whether a release serves the kind of an object. If so, the object must be there in every version, and in its version be
 * what the release that has written it has shown.
 */
export async function isReadable(
  api: ObjectServer,
  kinds: readonly ServedKind[],
  stored: StoredObject,
): Promise<boolean> {
  const type = typeOf(stored.served);
  const versions = kinds.filter((kind) => kind.resource === stored.served.resource && typeOf(kind) === type);
  for (const served of versions) {
    const { status, json } = await api.get(`${collectionOf(served)}/${stored.name}`);
    const title = `${titleOf(stored)} in ${served.apiVersion}`;
    assert.equal(status, 200, `${title}: ${JSON.stringify(json)}`);
    assert.equal((json as TypedObject).metadata.uid, stored.object.metadata.uid, title);
    if (served.apiVersion === stored.served.apiVersion)
      assert.deepEqual(comparable(json as TypedObject), comparable(stored.object), title);
  }
  return versions.length > 0;
}

/**
 * Without the empty times that releases before 1.34 show, and without what the server itself changes: the status, and the finalizers
 * of ranges of addresses.
 */
export const comparable = (object: TypedObject): unknown =>
  JSON.parse(JSON.stringify({ ...withoutRevision(object), status: undefined }), (key, value) =>
    (key === 'creationTimestamp' && value === null) || (key === 'finalizers' && object.kind === 'ServiceCIDR')
      ? undefined
      : value,
  );
