import type { ApiFixture } from '@orch/server/testing';
import type { ProtobufClient } from '../client.ts';
import type { Manifest } from '../manifests.ts';
import { collectionOf, type ServedKind, siblingsOf } from '../served-kinds.ts';
import type { TestedObject } from './context.ts';
import { post } from './posting.ts';
import { listInEveryFormat, readInEveryFormat, readInEveryVersion } from './reading.ts';
import { approval, scale, selectByFields, status } from './subresources.ts';
import { watch } from './watching.ts';
import { create, patch, remove, removeCollection, update } from './writing.ts';

/** A server, a Protobuf client for it, and the kinds that it serves. */
export interface TestedServer {
  readonly api: ApiFixture;
  readonly protobuf: ProtobufClient;
  readonly all: readonly ServedKind[];
}

function testedObject(
  { api, protobuf, all }: TestedServer,
  served: ServedKind,
  manifest: Manifest,
): TestedObject {
  const collection = collectionOf(served);
  const path = `${collection}/${manifest.object.metadata.name}`;
  return { api, protobuf, served, siblings: siblingsOf(served, all), manifest, collection, path };
}

/** Performs every operation on an object of a stored kind, from creation to deletion. */
export async function runLifecycle(
  server: TestedServer,
  served: ServedKind,
  manifest: Manifest,
): Promise<void> {
  const tested = testedObject(server, served, manifest);
  const watches = await watch(tested);
  await create(tested);
  await readInEveryVersion(tested);
  await update(tested);
  await patch(tested);
  await status(tested);
  await approval(tested);
  await scale(tested);
  await selectByFields(tested);
  await readInEveryFormat(tested);
  await readInEveryVersion(tested);
  await listInEveryFormat(tested);
  await remove(tested);
  await watches.ended();
  await removeCollection(tested);
  await post(tested);
}

/** Creates an object of a stored kind in every format, reads it and deletes it. */
export async function createAndRemove(
  server: TestedServer,
  served: ServedKind,
  manifest: Manifest,
): Promise<void> {
  const tested = testedObject(server, served, manifest);
  await create(tested);
  await remove(tested);
}
