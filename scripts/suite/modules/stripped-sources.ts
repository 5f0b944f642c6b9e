import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { keepFile } from './kept-files.ts';

/** The file of the JavaScript of a source: its name is the hash of the source. */
function fileOf(folder: string, source: string): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 32);
  return join(folder, 'stripped', `${hash}.mjs`);
}

/** Removes the types of modules. Positions stay as they are. Modules that cannot be parsed are left to Node, which reports them. */
export function stripSources(folder: string, paths: Iterable<string>): void {
  const { emitWarning } = process;
  // The function is experimental, which Node tells once.
  process.emitWarning = () => undefined;
  for (const path of paths) {
    const source = readFileSync(path, 'utf8');
    keepFile(fileOf(folder, source), () => strippedOf(source));
  }
  process.emitWarning = emitWarning;
}

function strippedOf(source: string): string | undefined {
  try {
    return stripTypeScriptTypes(source);
  } catch {
    return undefined;
  }
}

/** The JavaScript of the module at `path`; undefined if the module has changed since, or was not among those of the run. */
export function strippedSource(folder: string, path: string): string | undefined {
  const file = fileOf(folder, readFileSync(path, 'utf8'));
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
