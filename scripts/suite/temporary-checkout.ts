import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A checkout with these files, for tests of the runner. */
export function checkout(files: Readonly<Record<string, string>>): { readonly root: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'orch-suite-'));
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
