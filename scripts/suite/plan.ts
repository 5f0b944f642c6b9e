import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that one process runs one after the other. */
export interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

/** Files with a recorded duration from here on have a separate process: for them, its start costs little. */
const ALONE_SECONDS = 20;
/** Durations are recorded from here on. */
const RECORDED_SECONDS = 2;
/** About how long a process with several files takes. */
const BATCH_SECONDS = 40;
/** Patterns of code that changes or observes the process, which other files would see: its events and its variables. */
const processWide =
  /process\.(?:env\b.*[^=!]=[^=]|chdir|exit\b|exitCode|on\(|once\(|umask|memoryUsage|cpuUsage|resourceUsage|argv|getActive)|\bmock\.|globalThis|eventLoop|\bgc\(|v8\b/m;

/** The folder whose short files share processes: most of what they cost is the start of a process and loading modules. */
const shareFolder = /^(packages\/[^/]+)\/src\/|^(test\/[^/]+)\//;

function mayShare(root: string, file: string, seconds: Readonly<Record<string, number>>): boolean {
  if (!shareFolder.test(file) || (seconds[file] ?? 0) >= ALONE_SECONDS) return false;
  return !processWide.test(readFileSync(join(root, file), 'utf8'));
}

/** Durations of files without a recorded one; longer files have one. Files across packages start programs. */
const UNIT_SECONDS = 0.5;
const ACROSS_PACKAGES_SECONDS = 1;

/** How long a file takes on an idle machine. */
export const expectedSeconds = (file: string, recorded: Readonly<Record<string, number>>): number =>
  recorded[file] ?? (isAcrossPackages(file) ? ACROSS_PACKAGES_SECONDS : UNIT_SECONDS);

/**
 * The processes of a run and their order: the longest first, so that all cores are used until the end; short files of one package or
 * one folder of `test/` share processes. `seconds` are recorded durations.
 */
export function planOf(
  root: string,
  files: readonly string[],
  seconds: Readonly<Record<string, number>>,
): Batch[] {
  const alone: Batch[] = [];
  const shared = new Map<string, string[]>();
  for (const file of files) {
    const [, ofPackage, folder = ofPackage ?? ''] = shareFolder.exec(file) ?? [];
    if (mayShare(root, file, seconds)) shared.set(folder, [...(shared.get(folder) ?? []), file]);
    else alone.push({ name: file, files: [file] });
  }
  const all = [...alone, ...[...shared].flatMap(([folder, list]) => split(folder, list, seconds))];
  const expected = new Map(all.map((batch) => [batch, secondsOf(batch.files, seconds)]));
  return all.sort((a, b) => (expected.get(b) ?? 0) - (expected.get(a) ?? 0) || a.name.localeCompare(b.name));
}

/** How long the process of these files may take, of `timeoutMs` for one that is not longer than others. */
export const timeoutOf = (
  files: readonly string[],
  recorded: Readonly<Record<string, number>>,
  timeoutMs: number,
): number => Math.ceil(timeoutMs * Math.max(1, secondsOf(files, recorded) / BATCH_SECONDS));

/** Tests that involve several packages may start programs. */
export const isAcrossPackages = (path: string): boolean => path.startsWith('test/');

/** `recorded` durations with those of files that took `seconds`, the longest first. Short files have none. */
export function recordOf(
  recorded: Readonly<Record<string, number>>,
  seconds: ReadonlyMap<string, number>,
): Record<string, number> {
  const all = new Map([...Object.entries(recorded), ...seconds]);
  const long = [...all].filter(([, one]) => one >= RECORDED_SECONDS);
  long.sort(([a, one], [b, other]) => other - one || a.localeCompare(b));
  return Object.fromEntries(long.map(([file, one]) => [file, Math.round(one)]));
}

const secondsOf = (files: readonly string[], recorded: Readonly<Record<string, number>>): number =>
  files.reduce((sum, file) => sum + expectedSeconds(file, recorded), 0);

/** Batches that take about the same time, with neighbouring files. */
function split(
  folder: string,
  files: readonly string[],
  recorded: Readonly<Record<string, number>>,
): Batch[] {
  const all = secondsOf(files, recorded);
  const each = all / Math.ceil(all / BATCH_SECONDS);
  const parts = new Map<number, string[]>();
  let before = 0;
  for (const file of files) {
    const seconds = expectedSeconds(file, recorded);
    // The middle of the file decides, so that no part is much longer than another.
    const part = Math.floor((before + seconds / 2) / each);
    parts.set(part, [...(parts.get(part) ?? []), file]);
    before += seconds;
  }
  return [...parts.values()].map((part, i) => ({
    name: part.length === 1 ? String(part[0]) : `${folder}-${i + 1}`,
    files: part,
  }));
}
