import { equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { strippedSource, stripSources } from './stripped-sources.ts';

/** Strips a source, and returns the function that reads what a module with a source has. */
function stripped(source: string) {
  const folder = mkdtempSync(join(tmpdir(), 'orch-stripped-'));
  const path = join(folder, 'module.ts');
  writeFileSync(path, source);
  stripSources(folder, [path]);
  return {
    read(changed = source): string | undefined {
      writeFileSync(path, changed);
      return strippedSource(folder, path);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

describe('sources without types', () => {
  it('types are removed, and positions stay as they are', () => {
    const source = `interface Point {\n  readonly x: number;\n}\nexport const x = ({ x }: Point): number => x;\n`;
    using module = stripped(source);
    const text = module.read() ?? '';
    match(text, /\nexport const x = \(\{ x \} {7}\) {9}=> x;\n$/);
    equal(text.length, source.length);
  });

  it('a module that changes after the start of a run is loaded as it is', () => {
    using module = stripped(`export const one: number = 1;`);
    equal(module.read(`export const two: number = 2;`), undefined);
  });

  it('a module that cannot be parsed is left to Node', () => {
    using module = stripped(`export const = 1;`);
    equal(module.read(), undefined);
  });
});
