import { dirname, relative } from 'node:path';
import { DIRECTORY, type DiskCall } from './disk-call.ts';

export interface Recorded {
  /** The directory whose files are considered. */
  readonly dir: string;
  /** The file to which the process appends its reports. */
  readonly output: string;
  /** The number of the first call. */
  readonly first: number;
}

interface SystemCall {
  readonly name: string;
  readonly args: string;
  readonly result: string;
  /** Calls that were complete when this one began. */
  readonly begunAfter: number;
}

/** The calls that concern the files of a directory, in the order of their ends, from the output of `strace -f -y -xx`. */
export function diskCalls(text: string, recorded: Recorded): readonly DiskCall[] {
  const calls: DiskCall[] = [];
  const begun = new Map<string, { readonly text: string; readonly begunAfter: number }>();
  for (const line of text.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const now = recorded.first + calls.length;
    const unfinished = /^(.*) <unfinished \.\.\.>$/.exec(rest);
    if (unfinished !== null) {
      begun.set(thread, { text: unfinished[1] ?? '', begunAfter: now });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const start = resumed === null ? undefined : begun.get(thread);
    const whole = `${start?.text ?? ''}${resumed?.[1] ?? rest}`;
    const [, name, args, result] = /^(\w+)\((.*)\)\s+= (\S+)/.exec(whole) ?? [];
    if (name === undefined || args === undefined || result === undefined || result.startsWith('-')) continue;
    calls.push(...diskCallsOf({ name, args, result, begunAfter: start?.begunAfter ?? now }, recorded));
  }
  return calls;
}

const PATH_OF_DESCRIPTOR = /^\d+<((?:\\x[0-9a-f]{2})+)>/;

function diskCallsOf(call: SystemCall, { dir, output }: Recorded): readonly DiskCall[] {
  const { name, args, result } = call;
  const ofDescriptor = PATH_OF_DESCRIPTOR.exec(args)?.[1];
  const strings = [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((found) => bytesIn(found[1] ?? ''));
  const path = ofDescriptor === undefined ? String(strings[0] ?? '') : String(bytesIn(ofDescriptor));
  if (path === output && name === 'writev') return [{ kind: 'report', line: String(strings[0]) }];
  if (path !== dir && dirname(path) !== dir) return [];
  const file = path === dir ? DIRECTORY : relative(dir, path);
  const last = Number(/(\d+)$/.exec(args)?.[1]);
  switch (name) {
    case 'open':
    case 'openat':
      return opened(file, args);
    case 'pwrite64':
      return [{ kind: 'write', file, at: last, bytes: written(strings[0], result) }];
    case 'write':
      return [{ kind: 'append', file, bytes: written(strings[0], result) }];
    case 'ftruncate':
    case 'truncate':
      return [{ kind: 'truncate', file, size: last }];
    case 'rename':
      return [{ kind: 'rename', file, to: relative(dir, String(strings[1])) }];
    case 'unlink':
      return [{ kind: 'remove', file }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', file, from: call.begunAfter }];
    default:
      throw new Error(`${name} of ${file} is not simulated`);
  }
}

function opened(file: string, args: string): readonly DiskCall[] {
  const calls: DiskCall[] = [];
  if (args.includes('O_CREAT')) calls.push({ kind: 'create', file });
  if (args.includes('O_TRUNC')) calls.push({ kind: 'truncate', file, size: 0 });
  return calls;
}

/** The bytes of a write that may be partial. */
const written = (bytes: Buffer | undefined, result: string): Buffer =>
  (bytes ?? Buffer.alloc(0)).subarray(0, Number(result));

const bytesIn = (escaped: string): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
