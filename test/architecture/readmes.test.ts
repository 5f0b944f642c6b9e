import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { allowed, allowedInTests } from './layers.ts';
import { quoted } from './named-paths.ts';
import { root, sourceFiles } from './source-files.ts';

/** Folders that are large enough to need a README. */
const folders = [
  'packages/pipeline/src/audit',
  'packages/pipeline/src/flow-control',
  'packages/storage/src/embedded',
  'packages/storage/src/etcd',
];

const files = sourceFiles();
const pages = globSync(['packages/*/README.md', 'packages/*/src/**/README.md'], { cwd: root }).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Names that the text of a module exports, also under another name or from elsewhere. */
function exportedNames(text: string): readonly string[] {
  const declared = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:interface|class|function\*?|const|type|enum) (\w+)/gm,
    ),
  ].map((match) => match[1] ?? '');
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap((match) =>
    (match[1] ?? '').split(',').map((item) =>
      item
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    ),
  );
  return [...declared, ...listed];
}

/** Packages in the paragraph that starts with `title`; undefined when the page has none. */
function importsIn(title: string, text: string): readonly string[] | undefined {
  const paragraph = text.split('\n\n').find((each) => each.startsWith(`${title}: `));
  const names = /^[\w ]+: ([^.]*)\.\s*$/.exec(paragraph ?? '')?.[1];
  return names === 'none' ? [] : names?.split(/,\s+/).map((name) => name.replaceAll('`', ''));
}

describe('READMEs of packages and large folders', () => {
  for (const name of Object.keys(allowed))
    it(`the package ${name} has a README`, () => {
      assert.ok(existsSync(join(root, 'packages', name, 'README.md')));
    });

  for (const folder of folders.filter((each) => existsSync(join(root, each))))
    it(`the folder ${folder} has a README`, () => {
      assert.ok(existsSync(join(root, folder, 'README.md')));
    });

  for (const page of pages) {
    const folder = dirname(page);
    const text = read(page);

    it(`${page} has 8 to 40 lines`, () => {
      const lines = text.trimEnd().split('\n').length;
      assert.ok(lines >= 8 && lines <= 40, `${lines} lines`);
    });

    it(`${page} names only files that exist in its folder`, () => {
      const here = [folder, join(folder, 'src')];
      const missing = quoted(text)
        .filter((each) => /^[\w./-]+\.ts$/.test(each))
        .filter((each) => !here.some((base) => existsSync(join(root, base, each))));
      assert.deepEqual(missing, []);
    });

    it(`${page} names only types, functions and constants that its folder exports`, () => {
      const known = new Set(
        files
          .filter((file) => file.path.startsWith(`${folder}/`))
          .flatMap((file) => exportedNames(file.text)),
      );
      const unknown = quoted(text)
        .filter((each) => /^[A-Za-z]\w*[a-z]\w*$/.test(each) && /[A-Z]/.test(each))
        .filter((each) => !known.has(each));
      assert.deepEqual(unknown, []);
    });
  }

  for (const page of pages.filter((each) => each.split('/').length === 3))
    it(`${page} states the permitted imports of the layering table`, () => {
      const name = page.split('/')[1] ?? '';
      assert.deepEqual(importsIn('Permitted imports', read(page)), allowed[name]);
      assert.deepEqual(importsIn('In tests also', read(page)), allowedInTests[name]);
    });
});
