import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { quoted } from './named-paths.ts';
import { root, sourceFiles } from './source-files.ts';

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const codeBlocks = (page: string): string =>
  [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '').join('\n');

/** Identifiers in code: words of two or more capitals or letters with one inside, and names before a bracket or a colon. */
function identifiersIn(code: string): readonly string[] {
  const plain = code.replace(/'[^'\n]*'/g, '');
  return [...plain.matchAll(/\b[A-Za-z]+[A-Z]\w*\b|\b[A-Za-z]\w*(?=[(:])/g)].map(([name]) => name);
}

/** Identifiers that the page quotes, or that stand in its code blocks, without its placeholders. */
function identifiersOn(page: string): readonly string[] {
  const text = page.replace(/```[\s\S]*?```/g, '');
  const inText = quoted(text).filter((each) => /^[A-Za-z]+[A-Z]\w*$/.test(each));
  return [...new Set([...inText, ...identifiersIn(codeBlocks(page))])].filter(
    (name) => !/widget/i.test(name),
  );
}

/** Identifiers on the page that no source contains outside of its comments. */
function unknownIdentifiers(page: string, sources: readonly string[]): readonly string[] {
  const known = new Set(sources.flatMap((text) => withoutComments(text).match(/\b[A-Za-z]\w*\b/g) ?? []));
  return identifiersOn(page).filter((name) => !known.has(name));
}

describe('identifiers of docs/extending.md', () => {
  it('docs/extending.md names only identifiers that the packages contain', () => {
    const page = readFileSync(join(root, 'docs/extending.md'), 'utf8');
    assert.ok(identifiersOn(page).length > 40, identifiersOn(page).join(', '));
    const sources = sourceFiles()
      .filter(({ isTest }) => !isTest)
      .map(({ text }) => text);
    assert.deepEqual(unknownIdentifiers(page, sources), []);
  });

  it('an identifier that is missing, or only in a comment, is reported, and a placeholder is not', () => {
    const page =
      'See `serveVerb` and `serveAll`.\n\n```ts\nservePod(resizeWidget, { concerns: true });\n```\n';
    const source = '/** servePod */\nexport function serveVerb(concerns: boolean) {}\n// serveAll\n';
    assert.deepEqual(unknownIdentifiers(page, [source]), ['serveAll', 'servePod']);
  });
});
