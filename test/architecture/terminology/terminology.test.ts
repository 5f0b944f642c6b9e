import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../source-files.ts';
import { proseOf } from './prose.ts';

/** Pronouns with a gender: users, clients and programs have the terms of the glossary, and "they" or "it". */
const GENDERED = /\b(?:he|his|him|himself|she|her|hers|herself)\b/gi;

const genderedPronouns = (path: string, text: string): readonly string[] =>
  proseOf(path, text).flatMap((prose) =>
    [...prose.text.matchAll(GENDERED)].map(([found]) => `${path}:${prose.line}: "${found}"`),
  );

const files = globSync(
  [
    '*.{md,yml}',
    'Dockerfile',
    'Makefile',
    '{packages,test,bench,scripts,examples}/**/*.{ts,mts,mjs,go,md,sh}',
    '{docs,charts,deploy,lint,examples}/**/*.*',
  ],
  { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' },
).filter((path) => !path.startsWith('test/architecture/terminology/') && !path.endsWith('.png'));

describe('terminology of the project', () => {
  it('comments, pages, titles and messages name users and programs without a gender', () => {
    const found = files.flatMap((path) => genderedPronouns(path, readFileSync(join(root, path), 'utf8')));
    assert.deepEqual(found, []);
  });

  it('pronouns are reported in comments, titles, templates, pages and configuration, with their line', () => {
    assert.deepEqual(genderedPronouns('a.ts', 'const a = 1;\n/**\n * The user\n * and his token.\n */\n'), [
      'a.ts:2: "his"',
    ]);
    for (const [path, text] of [
      ['a.ts', "it('the user reads her pods', f);"],
      ['a.ts', 'const text = `{user} and his token`;'],
      ['a.go', '// the user\n// himself\n'],
      ['a.md', 'The user reads\nher pods.\n'],
      ['a.yaml', 'key: 1 # what he set\n'],
    ] as const)
      assert.equal(genderedPronouns(path, text).length, 1, text);
  });

  it('names, short values, regular expressions and code on pages are not reported', () => {
    assert.deepEqual(genderedPronouns('a.ts', "const her = 'her'; const quote = /her's or his '/;"), []);
    assert.deepEqual(genderedPronouns('a.md', 'The user `her`.\n\n```\nhe is here\n```\n'), []);
  });
});
