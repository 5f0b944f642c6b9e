import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { publishedPackages } from '../packages/published.ts';
import { type ExportedSymbol, Exports } from './exports.ts';

const root = join(import.meta.dirname, '..', '..');
const exported = Exports.inSources(root);
/** The exported names of every subpath by their source, each once. */
const symbols = new Map<string, ExportedSymbol>(
  publishedPackages(root)
    .flatMap(({ entries }) => Object.values(entries))
    .flatMap((file) => exported.of(file))
    .map((symbol) => [`${symbol.source}: ${symbol.name}`, symbol]),
);

const namesOf = (fails: (symbol: ExportedSymbol) => boolean): readonly string[] =>
  [...symbols].filter(([, symbol]) => fails(symbol)).map(([name]) => name);

const docOf = ({ declarations }: ExportedSymbol): string => declarations.map(({ doc }) => doc).join('\n');

/** A function whose result arrives later. */
const isAsynchronous = ({ declarations }: ExportedSymbol): boolean =>
  declarations.some(({ text }) =>
    /^export (?:async )?(?:function|const)[^;{]*?\n?\): (?:Promise|Async\w+)</.test(text),
  );

describe('the reference of the published packages', () => {
  it('every exported name of a published package has a documentation comment', () => {
    assert.ok(symbols.size > 300, `${symbols.size} names`);
    assert.deepEqual(
      namesOf((symbol) => docOf(symbol) === ''),
      [],
    );
  });

  it('every exported function whose result arrives later says how it fails', () => {
    assert.ok([...symbols.values()].filter(isAsynchronous).length > 20);
    assert.deepEqual(
      namesOf((symbol) => isAsynchronous(symbol) && !/reject|throw|fail|error/i.test(docOf(symbol))),
      [],
    );
  });
});
