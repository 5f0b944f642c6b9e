import { verifyBackup } from '@orch/backup';
import type { FlagValues } from '@orch/program';
import { readBackup } from './backup-file.ts';
import type { verifyFlags } from './backup-flags.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { factsOf, keyLines, printResult } from './result.ts';
import { secretOf } from './secret.ts';

/** `orch backup verify FILE` */
export async function runVerify(
  flags: FlagValues<typeof verifyFlags>,
  path: string,
  { environment, stdout }: BackupHost,
  signal: AbortSignal,
): Promise<void> {
  const secret = secretOf(flags, environment);
  await reported(path, { signal, again: 'run it again' }, async () => {
    const { header, summary } = await verifyBackup(readBackup(path), secret);
    const facts = { ...factsOf(header, summary), file: path, isEncrypted: header.encryption !== undefined };
    const { id, createdAt, revision, entries } = facts;
    const lines = [
      `${path} is whole: backup ${id} of ${createdAt}, ${entries} keys at revision ${revision}`,
      ...keyLines(summary),
    ];
    printResult({ json: facts, lines }, stdout, flags.output);
  });
}
