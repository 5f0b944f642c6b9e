import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { importsOf, resolveRelative, sourceFiles } from './source-files.ts';

const base = 'packages/apis/src/';

/** Files at the root of the package that the files of a kind may import. */
const rootFiles = new Set([
  'address-formats.ts',
  'address-warnings.ts',
  'content-warning.ts',
  'define-resource.ts',
  'field-reader.ts',
  'lifecycle.ts',
  'node-label-warnings.ts',
  'ordered.ts',
  'release.ts',
  'resource-type.ts',
  'status-strategy.ts',
  'table.ts',
  'validation-rules.ts',
]);

/** Groups whose `shared/` another group may import. */
const sharedWith: Readonly<Record<string, readonly string[]>> = {
  apiextensions: ['admissionregistration'],
  apps: ['core'],
  autoscaling: ['core'],
  batch: ['apps', 'core', 'scheduling'],
  core: ['certificates'],
  discovery: ['core'],
  networking: ['apps', 'core'],
  node: ['core'],
  policy: ['core'],
  resource: ['core'],
  settings: ['core'],
  storage: ['core'],
};

/** Kinds whose objects contain the schema of another kind. */
const embeds: Readonly<Record<string, string>> = {
  'apps/stateful-set': 'core/persistent-volume-claim',
  'batch/cron-job': 'batch/job',
  'storage/volume-attachment': 'core/persistent-volume',
};

const notGroups = new Set(['gates', 'testing']);

/** A kind (`apps/deployment`), the shared code of a group (`apps/shared`), its list (`apps/group`) or a root file. */
function partOf(path: string): string {
  const [group = '', kind] = path.slice(base.length).split('/');
  return kind === undefined || group === 'meta' || notGroups.has(group)
    ? group
    : `${group}/${kind.replace(/\.ts$/, '')}`;
}

interface Edge {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const files = sourceFiles().filter((file) => file.path.startsWith(base) && !file.isTest);
const edges: readonly Edge[] = files.flatMap((file) =>
  importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolveRelative(file, specifier))
    .map((target) => ({ file: file.path, from: partOf(file.path), to: partOf(target) }))
    .filter(({ from, to }) => from !== to),
);

const isGroupPart = (part: string): boolean => part.includes('/');
const groupOf = (part: string): string => part.split('/')[0] ?? '';
const nameOf = (part: string): string => part.split('/')[1] ?? '';
const isKind = (part: string): boolean => isGroupPart(part) && !['shared', 'group'].includes(nameOf(part));

function isAllowed({ from, to }: Edge): boolean {
  if (!isGroupPart(to)) return to === 'meta' || rootFiles.has(to);
  if (nameOf(to) !== 'shared') return embeds[from] === to;
  return groupOf(from) === groupOf(to) || (sharedWith[groupOf(from)] ?? []).includes(groupOf(to));
}

/** Cycles of the graph, each as the parts along it. */
function cyclesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (part: string, trail: readonly string[]): void => {
    const at = trail.indexOf(part);
    if (at >= 0) cycles.push([...trail.slice(at), part].join(' → '));
    if (at >= 0 || done.has(part)) return;
    for (const next of graph.get(part) ?? []) visit(next, [...trail, part]);
    done.add(part);
  };
  for (const part of graph.keys()) visit(part, []);
  return cycles;
}

describe('the kinds of packages/apis', () => {
  it('a kind and the shared code of a group import only what the README of the package permits', () => {
    const wrong = edges
      .filter(({ from }) => isGroupPart(from) && nameOf(from) !== 'group')
      .filter((edge) => !isAllowed(edge))
      .map(({ file, to }) => `${file} imports ${to}`);
    assert.deepEqual(wrong, []);
  });

  it('every permission to import from another group or kind is used', () => {
    const used = new Set(edges.map(({ from, to }) => `${from} ${to}`));
    const usedShared = new Set(edges.map(({ from, to }) => `${groupOf(from)} ${to}`));
    const unused = [
      ...Object.entries(embeds).filter(([from, to]) => !used.has(`${from} ${to}`)),
      ...Object.entries(sharedWith).flatMap(([group, others]) =>
        others.filter((other) => !usedShared.has(`${group} ${other}/shared`)).map((other) => [group, other]),
      ),
    ];
    assert.deepEqual(unused, []);
  });

  it('the list of a group names every kind of the group', () => {
    const kinds = new Set(files.map(({ path }) => partOf(path)).filter(isKind));
    const listed = new Set(edges.filter(({ from }) => nameOf(from) === 'group').map(({ to }) => to));
    assert.ok(kinds.size > 60, `only ${kinds.size} kinds found`);
    assert.deepEqual(
      [...kinds].filter((kind) => !listed.has(kind)),
      [],
    );
  });

  it('a kind is imported only by the list of its group and by kinds that embed it', () => {
    const publicFiles = new Set(['index.ts']);
    const wrong = edges
      .filter(({ to }) => isKind(to))
      .filter(({ from, to }) => from !== `${groupOf(to)}/group` && embeds[from] !== to)
      .filter(({ from }) => !publicFiles.has(from))
      .map(({ file, to }) => `${file} imports ${to}`);
    assert.deepEqual(wrong, []);
  });

  it('kinds, shared code and root files form no import cycle, type imports included', () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
    assert.deepEqual(cyclesOf(graph), []);
  });

  it('an import cycle between kinds is reported', () => {
    const graph = new Map([
      ['apps/a', new Set(['apps/b'])],
      ['apps/b', new Set(['apps/shared'])],
      ['apps/shared', new Set(['apps/a'])],
    ]);
    assert.deepEqual(cyclesOf(graph), ['apps/a → apps/b → apps/shared → apps/a']);
  });
});
