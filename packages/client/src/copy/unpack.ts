import { closeSync, constants, lstatSync, mkdirSync, openSync, realpathSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '@orch/machinery';
import { CopyError } from './copy-error.ts';
import { type TarEntry, TarReader, type TarSink } from './tar/tar-reader.ts';

export interface UnpackOptions {
  /** The requested path: names of all members begin with it. */
  readonly source: string;
  /** The absolute target path. */
  readonly target: string;
  warn(text: string): void;
}

/**
 * Writes the members of an archive from a container, which is not trusted: nothing outside of the target is created or
 * changed. Links are not created, existing links below the target are not followed, and special files are skipped, each
 * with a warning.
 */
export function unpacker(options: UnpackOptions): TarReader {
  const prefix = segmentsOf(options.source).filter((one) => one !== '..');
  return new TarReader((entry) => {
    if (entry.name.startsWith('/') || entry.name.includes('\0')) throw corrupted(entry);
    const segments = segmentsOf(entry.name);
    if (prefix.some((segment, i) => segments[i] !== segment)) throw corrupted(entry);
    return member(entry, segments.slice(prefix.length), options);
  });
}

const segmentsOf = (path: string): readonly string[] =>
  path.split('/').filter((one) => one !== '' && one !== '.');

const corrupted = ({ name }: TarEntry): CopyError =>
  new CopyError(`tar contents corrupted: ${JSON.stringify(name)} was not requested`);

function member(
  entry: TarEntry,
  rest: readonly string[],
  { target, warn }: UnpackOptions,
): TarSink | undefined {
  const path = join(target, ...rest);
  if (rest.includes('..')) {
    warn(`file ${JSON.stringify(path)} is outside target destination, skipping`);
    return undefined;
  }
  if (entry.kind === 'link' || entry.kind === 'other') {
    const what =
      entry.kind === 'link'
        ? `link: ${JSON.stringify(path)} -> ${JSON.stringify(entry.linkName)}`
        : `special file: ${JSON.stringify(path)}`;
    warn(`skipping ${what}`);
    return undefined;
  }
  try {
    const folders = entry.kind === 'folder' ? rest : rest.slice(0, -1);
    const base = rest.length === 0 && entry.kind === 'file' ? dirname(target) : target;
    const folder = ownFolder(base, folders);
    if (folder === undefined) {
      warn(`file ${JSON.stringify(path)} is behind a link, skipping`);
      return undefined;
    }
    return entry.kind === 'folder' ? undefined : fileSink(entry, rest, { path, folder, warn });
  } catch (error) {
    if (error instanceof CopyError) throw error;
    throw new CopyError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** The folder below a base, created if absent; undefined when a link is on the way. The base itself is the choice of the user. */
function ownFolder(base: string, segments: readonly string[]): string | undefined {
  mkdirSync(base, { recursive: true });
  let folder = realpathSync(base);
  for (const segment of segments) {
    folder = join(folder, segment);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(folder);
    else if (!stat.isDirectory()) return undefined;
  }
  return folder;
}

interface OpenedPlace {
  readonly path: string;
  readonly folder: string;
  warn(text: string): void;
}

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

function fileSink(
  { mode }: TarEntry,
  rest: readonly string[],
  { path, folder, warn }: OpenedPlace,
): TarSink | undefined {
  const file = join(folder, rest.at(-1) ?? basename(path));
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  // The file that the user named may be a link.
  if (isLink && rest.length > 0) {
    warn(`file ${JSON.stringify(path)} is behind a link, skipping`);
    return undefined;
  }
  const flags = O_WRONLY | O_CREAT | O_TRUNC | (rest.length > 0 ? O_NOFOLLOW : 0);
  const descriptor = openSync(file, flags, 0o600 | (mode & 0o777));
  return {
    write(data) {
      for (let at = 0; at < data.length; ) at += writeSync(descriptor, data, at);
    },
    end: () => closeSync(descriptor),
  };
}
