import type { Plan } from './plan.ts';

export type ReportFormat = 'text' | 'json';

interface Reported {
  /** The folder or the Secrets. */
  readonly location: string;
  readonly dryRun: boolean;
  readonly output: ReportFormat;
}

/** The report about each file, unfinished rotations, and warnings. Contains no secret. */
export function reportText(plan: Plan, { location, dryRun, output }: Reported): string {
  const { files, rotations, warnings } = plan;
  if (output === 'json')
    return `${JSON.stringify({ location, dryRun, files, rotations, warnings }, undefined, 2)}\n`;
  const rows = [
    ['FILE', 'ACTION', 'EXPIRES', 'REASON'],
    ...files.map(({ file, action, expires = '', reason = '' }) => [
      file,
      action,
      expires.slice(0, 10),
      reason,
    ]),
  ];
  const lines = table(rows);
  if (dryRun) lines.push('nothing was changed (--dry-run)');
  for (const { id, step, since, next } of rotations)
    lines.push(`rotation of ${id}: ${step} since ${since}; ${next}`);
  for (const warning of warnings) lines.push(`warning: ${warning}`);
  return `${lines.join('\n')}\n`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}
