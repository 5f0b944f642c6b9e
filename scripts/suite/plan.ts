import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that one process runs one after the other. */
export interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

const FILES_IN_BATCH = 16;
/** Files that launch programs take longer. */
const FILES_ACROSS_PACKAGES_IN_BATCH = 8;
/** Files with a recorded duration from here on have a separate process. */
const ALONE_SECONDS = 2;
/** Patterns of code that changes or observes the process, which other files would see: hooks of the whole process, its events and its variables. */
const processWide =
  /^(?:before|after|beforeEach|afterEach)\(|process\.(?:env\b.*[^=!]=[^=]|chdir|exit\b|exitCode|on\(|once\(|umask|memoryUsage|cpuUsage|resourceUsage|argv|getActive)|\bmock\.|globalThis|eventLoop|\bgc\(|v8\b/m;

/** The folder whose short files share processes: most of what they cost is the start of a process and loading modules. */
const shareFolder = /^(packages\/[^/]+)\/src\/|^(test\/[^/]+)\//;

function mayShare(root: string, file: string, seconds: Readonly<Record<string, number>>): boolean {
  if (!shareFolder.test(file) || (seconds[file] ?? 0) >= ALONE_SECONDS) return false;
  return !processWide.test(readFileSync(join(root, file), 'utf8'));
}

/** Durations of files without a recorded one; longer files have one. */
const SHARED_SECONDS = 0.5;
const SEPARATE_SECONDS = 1;

/** How long a file takes on an idle machine. */
export const expectedSeconds = (
  root: string,
  file: string,
  recorded: Readonly<Record<string, number>>,
): number => recorded[file] ?? (mayShare(root, file, recorded) ? SHARED_SECONDS : SEPARATE_SECONDS);

/**
 * The processes of a run and their order: the longest first, so that all cores are used until the end; short files of one folder
 * of `test/` share processes and come after long ones, those of one package last. `seconds` are recorded durations.
 */
export function planOf(
  root: string,
  files: readonly string[],
  seconds: Readonly<Record<string, number>>,
): Batch[] {
  const alone: string[] = [];
  const shared = new Map<string, string[]>();
  for (const file of files) {
    const [, ofPackage, folder = ofPackage ?? ''] = shareFolder.exec(file) ?? [];
    if (mayShare(root, file, seconds)) shared.set(folder, [...(shared.get(folder) ?? []), file]);
    else alone.push(file);
  }
  const expected = (file: string): number => seconds[file] ?? (isAcrossPackages(file) ? 1 : 0);
  alone.sort((a, b) => expected(b) - expected(a) || a.localeCompare(b));
  const batches = [...shared].flatMap(([folder, list]) => split(folder, list));
  batches.sort(
    (a, b) => +isAcrossPackages(b.name) - +isAcrossPackages(a.name) || b.files.length - a.files.length,
  );
  return [...alone.map((file) => ({ name: file, files: [file] })), ...batches];
}

const isAcrossPackages = (path: string): boolean => path.startsWith('test/');

/** `recorded` durations with those of files that took `seconds`, the longest first. Files that may share a process have none. */
export function recordOf(
  recorded: Readonly<Record<string, number>>,
  seconds: ReadonlyMap<string, number>,
): Record<string, number> {
  const all = new Map([...Object.entries(recorded), ...seconds]);
  const long = [...all].filter(([, one]) => one >= ALONE_SECONDS);
  long.sort(([a, one], [b, other]) => other - one || a.localeCompare(b));
  return Object.fromEntries(long.map(([file, one]) => [file, Math.round(one)]));
}

/** Batches of about the same size. */
function split(folder: string, files: readonly string[]): Batch[] {
  const most = isAcrossPackages(folder) ? FILES_ACROSS_PACKAGES_IN_BATCH : FILES_IN_BATCH;
  const count = Math.ceil(files.length / most);
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, i) => files.slice(i * size, (i + 1) * size))
    .filter((part) => part.length > 0)
    .map((part, i) => ({ name: part.length === 1 ? String(part[0]) : `${folder}-${i + 1}`, files: part }));
}
