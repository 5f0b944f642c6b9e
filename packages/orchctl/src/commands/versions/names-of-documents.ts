import { type Names, type Naming, namesFor } from '@orch/machinery';
import type { Invocation } from '../../cli/command.ts';
import type { FileDocument } from '../../files/documents.ts';
import { namingOfServer } from '../../session/naming-of-server.ts';
import { namingsOf } from '../../versions/naming-of-files.ts';

/** The names of each document: those of the flag, or by the files and the configured server. */
export async function namesOfDocuments(
  documents: readonly FileDocument[],
  flag: Naming | '',
  invocation: Pick<Invocation<unknown>, 'io' | 'globals' | 'signal'>,
): Promise<(document: FileDocument) => Names> {
  if (flag !== '') return () => namesFor(flag);
  const found = await namingsOf(documents, () => namingOfServer(invocation));
  return (document) => namesFor(found.get(document) ?? 'orch');
}
