import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root, sourceFiles } from './source-files.ts';

const declaration = /\.(?:counter|gauge|histogram)\(\s*\{\s*name: (?:\w[\w.]*\()?(['`])(.+?)\1/g;

/** A declaration through a function of the module, which has the labels and the stability of all its metrics. */
const throughFunction = /(?<![\w.])(?:counter|gauge|histogram)\(\s*(['`])([a-z]\w*)\1,/g;

/** The names of metrics that a module declares, with the values of its string constants inserted. */
function declaredIn(text: string): readonly string[] {
  const constants = new Map(
    [...text.matchAll(/^const (\w+) = '(\w+)';$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  return [...text.matchAll(declaration), ...text.matchAll(throughFunction)].map(([, , name = '']) =>
    name.replaceAll(/\$\{(\w+)\}/g, (part, constant: string) => constants.get(constant) ?? part),
  );
}

const declared = new Set(
  sourceFiles()
    .filter(({ isTest }) => !isTest)
    .flatMap(({ text }) => declaredIn(text)),
);

const documented = [...readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(/^- `(\w+)` \(/gm)].map(
  (match) => match[1] ?? '',
);

/** Matches the names that a composed name can have. */
const patternOf = (name: string): RegExp => new RegExp(`(?:^|_)${name.replaceAll(/\$\{[^}]*\}/g, '\\w+')}$`);

describe('lists of docs/metrics.md', () => {
  it('the page lists every metric that the source declares', () => {
    assert.ok(declared.size > 80, `only ${declared.size} metrics found in the source`);
    const missing = [...declared].filter(
      (name) => !documented.some((listed) => patternOf(name).test(listed)),
    );
    assert.deepEqual(missing, []);
  });

  it('a metric that a module declares through a local function must be listed, too', () => {
    const text =
      "const held = gauge(\n  'cache_held_objects',\n  'Objects.',\n);\nregistry.counter('not_one', 1);\n";
    assert.deepEqual(declaredIn(text), ['cache_held_objects']);
    assert.ok(declared.has('watch_cache_unreadable_objects'));
  });

  it('the page lists each metric once', () => {
    assert.deepEqual(
      documented.filter((name, at) => documented.indexOf(name) !== at),
      [],
    );
  });
});
