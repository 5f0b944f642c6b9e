import type { FlagValues } from '@orch/program';
import { checkBackup } from './backup-file.ts';
import type { verifyFlags } from './backup-flags.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { factsOf, keyLines, printResult } from './result.ts';
import { secretOf } from './secret.ts';

/** `orch backup verify FILE` */
export async function runVerify(
  flags: FlagValues<typeof verifyFlags>,
  path: string,
  host: BackupHost,
  signal: AbortSignal,
): Promise<void> {
  const { environment, stdout } = host;
  const secret = secretOf(flags, environment);
  await reported(path, { signal, again: 'run it again' }, async () => {
    const { header, summary } = await checkBackup(path, secret, host);
    const facts = { ...factsOf(header, summary), file: path, isEncrypted: header.encryption !== undefined };
    const { id, createdAt, revision, entries } = facts;
    const lines = [
      `${path} is intact: backup ${id} of ${createdAt}, ${entries} keys at revision ${revision}`,
      ...keyLines(summary),
    ];
    printResult({ json: facts, lines }, stdout, flags.output);
  });
}
