import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseYaml } from '@orch/machinery/yaml';
import { root } from './source-files.ts';

const chart = join(root, 'charts/orch');
const templates = globSync('templates/**/*.{yaml,tpl,txt}', { cwd: chart }).map((name) =>
  readFileSync(join(chart, name), 'utf8'),
);
const values = parseYaml(readFileSync(join(chart, 'values.yaml'))) as Record<string, unknown>;

const has = (path: readonly string[]): boolean => {
  let at: unknown = values;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !(part in at)) return false;
    at = (at as Record<string, unknown>)[part];
  }
  return true;
};

const leaves = (value: unknown, path: readonly string[]): string[][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]))
    : [[...path]];

describe('values of the Helm chart', () => {
  const used = [...templates.join('\n').matchAll(/\.Values\.([A-Za-z0-9.]+)/g)].map((m) =>
    (m[1] ?? '').split('.'),
  );

  it('the chart declares every value that a template reads', () => {
    assert.deepEqual(
      used.filter((path) => !has(path)).map((path) => path.join('.')),
      [],
    );
  });

  it('the chart enables authorization and admission by default', () => {
    assert.ok(has(['apiServer', 'authorizationModes']));
    assert.deepEqual(values['apiServer'], {
      ...(values['apiServer'] as object),
      authorizationModes: ['Node', 'RBAC'],
      admissionPlugins: ['NodeRestriction'],
    });
  });

  it('the templates of the chart read every declared value', () => {
    const read = new Set(used.map((path) => path.join('.')));
    const unread = leaves(values, []).filter(
      (path) => !path.some((_, index) => read.has(path.slice(0, index + 1).join('.'))),
    );
    assert.deepEqual(
      unread.map((path) => path.join('.')),
      [],
    );
  });
});
