import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '@orch/machinery';
import { asStringMap, objectAt } from '@orch/machinery/json';
import { type LabelSelector, parseLabelSelector, SelectorError } from '@orch/machinery/selectors';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import type { Io } from '../io.ts';
import type { FileDocument } from './documents.ts';
import { kustomizationOf } from './kustomization-flag.ts';

/** The values of `--filename` and `--recursive`. */
export interface FileFlags {
  /** Files, folders, glob patterns, URLs, a kustomization, or `-` for standard input. */
  readonly filename: readonly string[];
  readonly recursive: boolean;
  /** Only objects whose labels match this label selector; all when absent or empty. */
  readonly selector?: string;
  /** Whether files without documents are accepted; they are refused when absent. */
  readonly allowsEmpty?: boolean;
}

const manifestNames = /\.(?:ya?ml|json)$/;

/** Maximum size of standard input and of a response of a URL. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/**
 * The objects of files, in the order of the flags and then of names. Rejects with a CommandError for a missing file, a
 * folder without manifests, and a document that cannot be read.
 */
export async function readObjectFiles(
  { filename, recursive, selector = '', allowsEmpty = false }: FileFlags,
  io: Io,
): Promise<readonly FileDocument[]> {
  if (filename.length === 0 && allowsEmpty) return [];
  // Commands that read no files do not load the YAML parser.
  const { readDocuments } = await import('./documents.ts');
  const documents: FileDocument[] = [];
  for (const name of filename) {
    const kustomization = kustomizationOf(name);
    if (kustomization !== undefined) {
      const { buildKustomization } = await import('./kustomization.ts');
      documents.push(...readDocuments(await buildKustomization(kustomization, io), kustomization));
    } else if (name === '-') documents.push(...readDocuments(await readText(name, io), 'STDIN'));
    else if (/^https?:\/\//.test(name)) {
      const { readUrl } = await import('./read-url.ts');
      documents.push(...readDocuments(await readUrl(name, io, MAX_INPUT_BYTES), name));
    } else
      for (const path of pathsOf(name, recursive, io))
        documents.push(...readDocuments(fileText(path, io), path));
  }
  if (documents.length === 0 && !allowsEmpty)
    throw new CommandError('no objects passed to the command: the files have no documents');
  return selector === '' ? documents : selected(documents, selector);
}

function selected(documents: readonly FileDocument[], selector: string): readonly FileDocument[] {
  const { matches } = parsedSelector(selector);
  return documents.filter(({ object }) => matches(asStringMap(objectAt(object, 'metadata')['labels'])));
}

function parsedSelector(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new UsageError(`--selector: ${error.message}`);
  }
}

/** Files of an argument, relative as given. */
function pathsOf(name: string, recursive: boolean, { folder }: Io): readonly string[] {
  const stat = statSync(resolve(folder, name), { throwIfNoEntry: false });
  if (stat?.isDirectory()) return manifestsIn(name, recursive, folder);
  if (stat !== undefined) return [name];
  const matches = /[*?[]/.test(name) ? globSync(name, { cwd: folder }).toSorted() : [];
  if (matches.length === 0) throw new CommandError(`the path ${JSON.stringify(name)} does not exist`);
  return matches;
}

function manifestsIn(name: string, recursive: boolean, folder: string): readonly string[] {
  const entries = readdirSync(resolve(folder, name), { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const paths = entries.flatMap((entry) => {
    const path = join(name, entry.name);
    if (entry.isDirectory()) return recursive ? manifestsIn(path, recursive, folder) : [];
    return manifestNames.test(entry.name) ? [path] : [];
  });
  return paths;
}

/** The text of a file, or of standard input for `-`. Rejects with a `CommandError`. */
export const readText = async (path: string, io: Pick<Io, 'folder' | 'input'>): Promise<string> =>
  path === '-' ? readInput(io) : fileText(path, io);

function fileText(path: string, { folder }: Pick<Io, 'folder'>): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

/** All of standard input as text. */
export async function readInput({ input }: Pick<Io, 'input'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.byteLength;
    if (size > MAX_INPUT_BYTES)
      throw new CommandError(`standard input has more than ${MAX_INPUT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
