import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../source-files.ts';
import { PHRASES } from './phrases.ts';
import { proseOf } from './prose.ts';

/** Uses of phrases that the project avoids, with what to say instead. */
const nonstandardTerms = (path: string, text: string): readonly string[] =>
  proseOf(path, text).flatMap((prose) =>
    PHRASES.flatMap(({ pattern, instead }) =>
      [...prose.text.matchAll(pattern)].map(
        ([found]) => `${path}:${prose.line}: "${found}"; better: ${instead}`,
      ),
    ),
  );

/** The package of a file, or its top folder or name when it belongs to none. */
const areaOf = (path: string): string => path.replace(/^packages\//, '').replace(/\/.*/, '');

const files = globSync(
  [
    '*.{md,yml}',
    'Dockerfile',
    'Makefile',
    '{packages,test,bench,scripts,examples}/**/*.{ts,mts,mjs,go,md,sh}',
    '{docs,charts,deploy,lint,examples}/**/*.*',
  ],
  { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' },
).filter((path) => !path.startsWith('test/architecture/terminology/'));

describe('terminology of the project', () => {
  for (const area of [...new Set(files.map(areaOf))].sort())
    it(`comments, pages, titles and messages of ${area} use standard terms`, () => {
      const found = files
        .filter((path) => areaOf(path) === area)
        .flatMap((path) => nonstandardTerms(path, readFileSync(join(root, path), 'utf8')));
      assert.equal(found.length, 0, found.join('\n'));
    });

  it('every phrase of the list is reported in a comment', () => {
    for (const sample of [
      'he who writes',
      'whoever writes',
      'nobody writes',
      'the client is told so',
      'either side has had enough',
      'sends its last words',
      'objects die young',
      'unless the flag says otherwise',
      'waits for ever',
      'reads it anew',
      'a class of its own',
      'it shall be read',
      'the end thereof',
      'a key, be it another one',
      'the key is to be written',
      'lest it fails',
      'gives away more',
      'a pod comes into being',
      'read beforehand',
      'left unsaid',
      'a service has to be asked',
      'no problems to speak of',
      'lets go of the key',
      'gives back the permit',
      'a token is handed out',
      'a hostile body',
      'a field out of reach',
      'the everyday case',
      'chosen by chance',
      'frozen through and through',
      'the text is taken apart',
      'the message at hand',
      'a sane length',
    ])
      assert.equal(nonstandardTerms('a.ts', `// Text: ${sample}.\n`).length, 1, sample);
    assert.equal(PHRASES.length, 33);
  });

  it('phrases are reported in block comments, titles, templates, pages and configuration', () => {
    const report = (path: string, text: string): number => nonstandardTerms(path, text).length;
    assert.equal(report('a.ts', '/**\n * It waits for\n * ever.\n */\n'), 1);
    assert.equal(report('a.ts', "it('waits for ever here', f);"), 1);
    assert.equal(report('a.ts', 'const text = `waits for ever: {time}`;'), 1);
    assert.equal(report('a.go', '// waits for\n// ever\n'), 1);
    assert.equal(report('a.md', 'It waits for\never.\n'), 1);
    assert.equal(report('a.yaml', 'key: 1 # waits for ever\n'), 1);
  });

  it('names, short values, regular expressions and code on pages are not reported', () => {
    const report = (path: string, text: string): readonly string[] => nonstandardTerms(path, text);
    assert.deepEqual(report('a.ts', "const nobody = 'nobody'; const quote = /nobody's is told '/;"), []);
    assert.deepEqual(report('a.md', 'The user `nobody`.\n\n```\nnobody is here\n```\n'), []);
  });

  it('a report names the file, the line and the standard term', () => {
    assert.deepEqual(nonstandardTerms('a.ts', 'const a = 1;\n// read anew\n'), [
      'a.ts:2: "anew"; better: again',
    ]);
  });
});
