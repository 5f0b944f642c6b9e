import type { ApiFixture } from '@orch/server/testing';
import type { ProtobufClient } from '../client.ts';
import type { Manifest } from '../manifests.ts';
import { collectionOf, type ServedKind, siblingsOf } from '../served-kinds.ts';
import type { Life } from './context.ts';
import { post } from './posting.ts';
import { listInEveryFormat, readInEveryFormat, readInEveryVersion } from './reading.ts';
import { approval, scale, selectByFields, status } from './subresources.ts';
import { watch } from './watching.ts';
import { create, patch, remove, removeCollection, update } from './writing.ts';

export interface Surroundings {
  readonly api: ApiFixture;
  readonly protobuf: ProtobufClient;
  readonly all: readonly ServedKind[];
}

/** Takes one manifest of a stored kind through everything that can be done with an object, until it is gone. */
export async function wholeLife(
  { api, protobuf, all }: Surroundings,
  served: ServedKind,
  manifest: Manifest,
): Promise<void> {
  const collection = collectionOf(served);
  const life: Life = {
    api,
    protobuf,
    served,
    siblings: siblingsOf(served, all),
    manifest,
    collection,
    path: `${collection}/${manifest.object.metadata.name}`,
  };
  const watches = await watch(life);
  await create(life);
  await readInEveryVersion(life);
  await update(life);
  await patch(life);
  await status(life);
  await approval(life);
  await scale(life);
  await selectByFields(life);
  await readInEveryFormat(life);
  await readInEveryVersion(life);
  await listInEveryFormat(life);
  await remove(life);
  await watches.ended();
  await removeCollection(life);
  await post(life);
}
