import assert from 'node:assert/strict';
import type { ApiObject } from '@orch/machinery';
import type { Answered } from '@orch/registry/testing';
import type { ApiFixture } from '@orch/server/testing';
import type { ProtobufClient, TypedObject } from '../client.ts';
import type { Manifest } from '../manifests.ts';
import { collectionOf, type ServedKind } from '../served-kinds.ts';

/** The object that a test creates, changes and deletes, in one version of its kind; the server may serve others. */
export interface TestedObject {
  readonly api: ApiFixture;
  readonly protobuf: ProtobufClient;
  readonly served: ServedKind;
  readonly siblings: readonly ServedKind[];
  readonly manifest: Manifest;
  /** Path of all objects. */
  readonly collection: string;
  /** Path of this one. */
  readonly path: string;
}

export const nameOf = ({ manifest }: TestedObject): string => manifest.object.metadata.name ?? '';

/** The path of the object in another version. */
export const pathIn = (tested: TestedObject, sibling: ServedKind): string =>
  `${collectionOf(sibling)}/${nameOf(tested)}`;

/** The answer when it has the code; the test fails with its text otherwise. */
export function expectStatus(code: number, answered: Answered, what: string): Answered {
  assert.equal(answered.status, code, `${what}: ${answered.text.slice(0, 2000)}`);
  return answered;
}

export const objectOf = (answered: Answered): TypedObject => answered.json as TypedObject;

export async function read({ api, path }: TestedObject): Promise<TypedObject> {
  return objectOf(expectStatus(200, await api.get(path), `GET ${path}`));
}

/** An object without its kind, as it stands in a list. */
export function asItem({ kind: _kind, apiVersion: _apiVersion, ...rest }: ApiObject): object {
  return rest;
}

/** Without what every write changes: the revision, and the record of who wrote what. */
export function withoutRevision(object: ApiObject): ApiObject {
  const { resourceVersion: _resourceVersion, managedFields: _managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export const yaml = 'application/yaml';

/** Media types that ask for tables and for metadata alone. */
export const asTable = ({ api }: TestedObject): string =>
  `application/json;as=Table;v=v1;g=${api.names.group('meta')}`;

export const asPartial = ({ api }: TestedObject, list = '', encoding = 'application/json'): string =>
  `${encoding};as=PartialObjectMetadata${list};v=v1;g=${api.names.group('meta')}`;
