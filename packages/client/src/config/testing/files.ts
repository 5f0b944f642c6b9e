import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with files, deleted on disposal. */
export interface Files extends Disposable {
  readonly folder: string;
  path(name: string): string;
  /** Returns the path. */
  write(name: string, content: string): string;
  remove(name: string): void;
}

export function files(contents: Readonly<Record<string, string>> = {}): Files {
  const folder = mkdtempSync(join(tmpdir(), 'orch-client-config-'));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, content: string): string => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
    return path(name);
  };
  for (const [name, content] of Object.entries(contents)) write(name, content);
  return {
    folder,
    path,
    write,
    remove: (name) => rmSync(path(name)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
