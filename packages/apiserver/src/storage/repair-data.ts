import { resolve } from 'node:path';
import type { Env } from '@orch/machinery';
import { StartError } from '@orch/program';
import { StoreError } from '@orch/storage';
import type { RepairReport } from '@orch/storage/embedded';

export interface RepairFlags {
  readonly dataDir: string;
  readonly dryRun: boolean;
  readonly output: 'text' | 'json';
}

/** Keys named one by one in a string; JSON names all. */
const NAMED_KEYS = 100;

/**
 * Repairs the embedded store in a data directory; what to print. Throws a `StartError` when that is not possible, and
 * for damage that a dry run found, with the report in `printed`.
 */
export async function repairData(
  { dataDir, dryRun, output }: RepairFlags,
  env: Pick<Env, 'clock' | 'random'>,
  print: (text: string) => void,
): Promise<void> {
  const report = await reportOf(resolve(dataDir), dryRun, env);
  print(output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : textOf(report, dryRun));
  if (dryRun && report.findings.length > 0) {
    throw new StartError(`the store in ${dataDir} is damaged; nothing was changed (--dry-run)`);
  }
}

async function reportOf(
  dir: string,
  dryRun: boolean,
  env: Pick<Env, 'clock' | 'random'>,
): Promise<RepairReport> {
  const { repairStore } = await import('@orch/storage/embedded');
  try {
    return await repairStore({ dir, dryRun, env });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw new StartError(`cannot repair the store (${dir}): ${error.message}`);
  }
}

function textOf(report: RepairReport, dryRun: boolean): string {
  if (report.findings.length === 0) {
    return `the store is intact: ${report.keptKeys} keys at revision ${report.keptThrough}; nothing was changed\n`;
  }
  const would = (done: string, planned: string) => (dryRun ? planned : done);
  const lines = [
    'damage:',
    ...report.findings.map(({ file, problem }) => `  ${file} ${problem}`),
    `${would('kept', 'would keep')}: ${report.keptKeys} keys, as of revision ${report.keptThrough}`,
    ...droppedLines(report, would('dropped', 'would drop')),
    `revisions ${would('continue', 'would continue')} after ${report.revision}; clients list again`,
  ];
  if (report.movedTo !== undefined) lines.push(`the damaged files are in ${report.movedTo}`);
  return `${lines.join('\n')}\n`;
}

function droppedLines(
  { droppedKeys, maybeMoreDropped, droppedRevisions }: RepairReport,
  verb: string,
): string[] {
  const lines: string[] = [];
  if (droppedRevisions !== undefined) {
    const { first, last } = droppedRevisions;
    lines.push(`${verb}: every change with a revision from ${first} to ${last}, at least`);
  }
  if (droppedKeys.length > 0) {
    lines.push(`${verb}: ${droppedKeys.length} keys that cannot be read:`);
    lines.push(...droppedKeys.slice(0, NAMED_KEYS).map((key) => `  ${key}`));
    if (droppedKeys.length > NAMED_KEYS)
      lines.push(`  and ${droppedKeys.length - NAMED_KEYS} more (--output=json)`);
  }
  if (maybeMoreDropped) lines.push(`${verb}: possibly keys whose names cannot be read`);
  if (lines.length === 0) lines.push(`${verb}: only history`);
  return lines;
}
