/**
 * Writes the types of built-in kinds from their declarations: those of the client's objects with the table of resources,
 * and those of decoded objects, for the rules of the kinds themselves. `scripts/node scripts/generate-kind-types.ts`.
 * With `--check` it writes nothing and fails when files are out of date.
 */
import { update } from './generated-files.ts';
import { clientTypeFiles } from './kind-types/client-files.ts';
import { decodedTypeFiles } from './kind-types/decoded-files.ts';

update(
  [
    { folder: 'packages/client/src/types', files: clientTypeFiles() },
    {
      folder: 'packages/kinds/src',
      files: decodedTypeFiles(),
      handWritten: new Set(['draft.ts', 'modules.test.ts']),
    },
  ],
  'the declarations',
);
