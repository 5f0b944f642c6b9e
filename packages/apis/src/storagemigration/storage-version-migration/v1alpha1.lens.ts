import type { Names } from '@orch/machinery';
import { type AnnotationCodec, chain, type Lens, lossless, move, olderOnly, within } from '@orch/schema';
import { StorageVersionMigration } from './v1.ts';
import { StorageVersionMigrationV1Alpha1 } from './v1alpha1.ts';

/** A string, as it is. */
const plainText: AnnotationCodec = { write: String, read: (text) => (text === '' ? undefined : text) };

const carriers = ({ annotations }: Names): readonly string[] => [
  annotations.migrationVersion,
  annotations.migrationContinueToken,
];

/**
 * The version of the resource and the position of the migration are annotations, because the hub has no fields for
 * them.
 */
export const storageVersionMigrationLens: Lens = lossless(
  chain(
    olderOnly({
      path: 'spec.resource.version',
      key: ({ names }) => names.annotations.migrationVersion,
      codec: plainText,
    }),
    olderOnly({
      path: 'spec.continueToken',
      key: ({ names }) => names.annotations.migrationContinueToken,
      codec: plainText,
    }),
    within('status.conditions[]', move('lastUpdateTime', 'lastTransitionTime')),
  ),
  { hub: StorageVersionMigration, older: StorageVersionMigrationV1Alpha1, carriers },
);
