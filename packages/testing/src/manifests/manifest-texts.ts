import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Tools that compose manifests read these; they contain no object of a server. */
const ofTools = /^kustomization\.ya?ml$/i;

/** The texts of the YAML and JSON files of a folder and its subfolders, by their paths in it, in order. Throws if it cannot be read. */
export function manifestTexts(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => extensions.has(extname(name)) && !ofTools.test(basename(name)))
    .sort()
    .flatMap((name) => {
      const text = textOf(join(folder, name));
      return text === undefined ? [] : [[name, text] as const];
    });
  return new Map(texts);
}

/** The text of a file; undefined if it was removed meanwhile, or is a folder. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    throw error;
  }
}
