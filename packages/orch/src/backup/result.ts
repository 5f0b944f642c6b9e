import type { BackupHeader, BackupSummary } from '@orch/backup';

/** The result of a command, as JSON and as lines. */
export interface Result {
  readonly json: unknown;
  readonly lines: readonly string[];
}

/** Text on a terminal, JSON otherwise, unless `--output` selects one. */
export function printResult(
  { json, lines }: Result,
  stream: NodeJS.WriteStream,
  output: '' | 'text' | 'json',
): void {
  const isText = output === 'text' || (output === '' && stream.isTTY);
  stream.write(isText ? `${lines.join('\n')}\n` : `${JSON.stringify(json)}\n`);
}

/** The facts about a backup for operators. */
export const factsOf = (header: Omit<BackupHeader, 'encryption'>, summary: BackupSummary) => ({
  id: header.id,
  createdAt: header.createdAt,
  revision: header.revision,
  prefix: header.prefix,
  entries: summary.entries,
  bytes: summary.bytes,
  encryptedAtRest: summary.encryptedAtRest,
});

/** The lines about everything a restore needs besides the file. */
export function keyLines({ encryptedAtRest }: BackupSummary): readonly string[] {
  const prefixes = Object.entries(encryptedAtRest);
  if (prefixes.length === 0) return [];
  return [
    'values are encrypted at rest; servers need these keys in --encryption-provider-config, which are not in the backup:',
    ...prefixes.map(([prefix, count]) => `  ${prefix} (${count} ${count === 1 ? 'value' : 'values'})`),
  ];
}
