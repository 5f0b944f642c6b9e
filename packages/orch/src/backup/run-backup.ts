import { type BackupSummary, encodeBackup, newBackupKey } from '@orch/backup';
import { refuseUnusable, STANDARD_OUTPUT, writeBackup } from './backup-file.ts';
import { reported } from './failures.ts';
import type { BackupHost } from './host.ts';
import { Progress } from './progress.ts';
import { factsOf, keyLines, printResult, type Result } from './result.ts';
import { secretOf } from './secret.ts';
import { type BackupFlags, openSource } from './source.ts';

/** `orch backup FILE` */
export async function runBackup(
  flags: BackupFlags,
  path: string,
  host: BackupHost,
  signal: AbortSignal,
): Promise<void> {
  const secret = secretOf(flags, host.environment);
  refuseUnusable(path);
  const again = 'nothing was written: run it again';
  await reported('the backup', { signal, again }, async () => {
    const { env, stdout, stderr } = host;
    await using source = await openSource(flags, host, signal);
    using progress = new Progress({ stream: stderr, clock: env.clock, title: 'backup' });
    let summary: BackupSummary = { entries: 0, bytes: 0, encryptedAtRest: {} };
    const { origin, entries } = source.content;
    const { id, createdAt, revision, prefix, keys } = origin;
    const chunks = encodeBackup(entries, {
      origin: { id, createdAt, revision, prefix, keys },
      key: secret === undefined ? undefined : await newBackupKey(secret, env.random),
      onProgress(made) {
        summary = made;
        progress.show(made.entries, keys);
      },
    });
    const fileBytes = await writeBackup(chunks, { path, stdout });
    progress[Symbol.dispose]();
    if (summary.entries === 0) stderr.write(`Warning: the store has no objects below ${prefix}\n`);
    const facts = { ...factsOf(origin, summary), file: path, fileBytes, isEncrypted: secret !== undefined };
    printResult(resultOf(facts, summary), path === STANDARD_OUTPUT ? stderr : stdout, flags.output);
  });
}

interface Facts extends ReturnType<typeof factsOf> {
  readonly file: string;
  readonly fileBytes: number;
  readonly isEncrypted: boolean;
}

function resultOf(facts: Facts, summary: BackupSummary): Result {
  const { id, revision, entries, file, fileBytes, isEncrypted } = facts;
  const lines = [
    `backup ${id}: ${entries} keys at revision ${revision}, in ${file} (${fileBytes} bytes)`,
    ...(isEncrypted
      ? []
      : ['the file is not encrypted, and contains all secrets that are not encrypted at rest']),
    ...keyLines(summary),
  ];
  return { json: facts, lines };
}
