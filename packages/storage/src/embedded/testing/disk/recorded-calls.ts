import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DiskCall } from './disk-call.ts';
import { diskCalls } from './strace-output.ts';

const DISK_WRITER = fileURLToPath(new URL('./disk-writer.ts', import.meta.url));
const TRACED =
  'open,openat,creat,write,writev,pwrite64,pwritev,pwritev2,truncate,ftruncate,fallocate,copy_file_range,' +
  'rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync,sync_file_range,msync';
/** With a filter of paths, the file of the reports and the directory belong to it. */
const FILES = [
  '',
  '../reported',
  ...['db', 'db-wal', 'db-journal', 'mark', 'mark.new', 'sums', 'sums.new', 'reserve'].map(
    (end) => `store.${end}`,
  ),
];
/** Longer than any write. */
const STRING_BYTES = 2 * 1024 * 1024;
const MAX_RUN_MS = 120_000;
/** strace reports a fault that it could not cause because the call had been made. The call is in the output as it was. */
const MISSED_FAULT = /^strace: Failed to tamper with process .*$/gm;

/** One session of the recorded process. */
export interface Session {
  readonly seed: number;
  readonly groups: number;
  readonly end: 'kill' | 'close';
  readonly fullDisk?: FullDisk;
}

/** The disk is full for some writes of each thread, from one on; they are counted from 1. */
export interface FullDisk {
  readonly from: number;
  readonly writes: number;
}

const fullDiskFlags = (dir: string, { from, writes }: FullDisk): readonly string[] => [
  ...FILES.flatMap((file) => ['-P', join(dir, file)]),
  ...['-e', `inject=write,pwrite64:error=ENOSPC:when=${from}..${from + writes - 1}`],
];

export interface Recording {
  readonly dir: string;
  readonly calls: readonly DiskCall[];
  /** The number of the first call of each session. */
  readonly starts: readonly number[];
}

/** Runs sessions, one after the other, on one store; `first` is the number of the first call. */
export async function recordSessions(
  base: string,
  sessions: readonly Session[],
  first = 0,
): Promise<Recording> {
  mkdirSync(join(base, 'data'), { recursive: true });
  // strace reports the paths of open files without links.
  const dir = realpathSync(join(base, 'data'));
  const output = join(dir, '..', 'reported');
  const calls: DiskCall[] = [];
  const starts: number[] = [];
  for (const [i, { seed, groups, end, fullDisk }] of sessions.entries()) {
    starts.push(calls.length);
    const trace = join(base, `trace-${i}`);
    const child = execFile(
      'strace',
      [
        ...['-f', '-qq', '-xx', '-y', '--seccomp-bpf', '-s', String(STRING_BYTES), '-o', trace],
        ...['-e', `trace=${TRACED}`, ...(fullDisk === undefined ? [] : fullDiskFlags(dir, fullDisk))],
        ...[process.execPath, DISK_WRITER, dir, output, String(seed), String(groups), end],
      ],
      { timeout: MAX_RUN_MS, killSignal: 'SIGKILL' },
    );
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    await once(child, 'close');
    errors = errors.replaceAll(MISSED_FAULT, '');
    if (child.killed) throw new Error(`the recorded process did not end within ${MAX_RUN_MS} ms`);
    if (errors.trim() !== '') throw new Error(`the recorded process failed: ${errors}`);
    calls.push(...diskCalls(readFileSync(trace, 'latin1'), { dir, output, first: first + calls.length }));
  }
  return { dir, calls, starts };
}

/** Why system calls cannot be recorded here; false when they can. */
export async function tracingFails(): Promise<string | false> {
  try {
    await promisify(execFile)('strace', ['-f', '-qq', '--seccomp-bpf', '-e', 'trace=fsync', 'true']);
    return false;
  } catch {
    return 'needs strace, and the permission to trace a process';
  }
}
