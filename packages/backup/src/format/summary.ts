import { isJsonObject, parseJson } from '@orch/machinery/json';
import { BackupError } from '../backup-error.ts';

/** The end of a backup: a summary of its content. */
export interface BackupSummary {
  readonly entries: number;
  /** Size of keys and values, uncompressed. */
  readonly bytes: number;
  /** Number of values that are encrypted at rest, by the prefix that names provider and key. */
  readonly encryptedAtRest: Readonly<Record<string, number>>;
}

export const encodeSummary = (summary: BackupSummary): Buffer => Buffer.from(JSON.stringify(summary));

export function decodeSummary(bytes: Buffer): BackupSummary {
  const fields = parseJson(bytes);
  if (!isJsonObject(fields)) throw malformed();
  const { entries, bytes: size, encryptedAtRest } = fields;
  if (typeof entries !== 'number' || typeof size !== 'number' || !isJsonObject(encryptedAtRest))
    throw malformed();
  const counts = Object.entries(encryptedAtRest).map(([prefix, count]) => [prefix, Number(count)]);
  return { entries, bytes: size, encryptedAtRest: Object.fromEntries(counts) };
}

const malformed = (): BackupError => new BackupError('damaged', 'the backup is damaged: malformed summary');
