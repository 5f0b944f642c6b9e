import { applyJsonPatch } from '@orch/apply';
import { evaluateJsonPath, parseJsonPath } from '@orch/machinery/json-path';
import { largePod, podOf } from '../lib/pods.ts';
import { bundleKilobytes, type Comparison, cpuMicros, library, sourceFile } from './measure.ts';

/** JSON patches as other servers of this API apply them: the expected document, or undefined for a refusal. */
const patches: readonly (readonly [document: unknown, patch: readonly object[], result: unknown])[] = [
  [{ a: [1, 2] }, [{ op: 'replace', path: '/a/-1', value: 3 }], { a: [1, 3] }],
  [{}, [{ op: 'test', path: '/a', value: null }], {}],
  [{ a: [1, 2] }, [{ op: 'remove', path: '/a/01' }], { a: [1] }],
  [{ a: 1 }, [{ op: 'test', path: '/a', value: 2 }], undefined],
];

/** JSON paths of printers and columns, and the values that they find. */
const paths: readonly (readonly [path: string, found: readonly unknown[]])[] = [
  ['.items[*].name', ['a', 'b']],
  ['.items[?(@.name=="b")].size', [2]],
  ['.items[-1:].name', ['b']],
  [".items[*]['name','size']", ['a', 1, 'b', 2]],
];
const listed = {
  items: [
    { name: 'a', size: 1 },
    { name: 'b', size: 2 },
  ],
};

const sameJson = (value: unknown, expected: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(expected);

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function jsonPatch(): Comparison {
  const { applyPatch } = library('fast-json-patch');
  const pod = podOf(1, largePod);
  const patch = [
    { op: 'add', path: '/metadata/labels/tier', value: 'web' },
    { op: 'test', path: '/kind', value: pod.kind },
    { op: 'replace', path: '/spec/containers/0/image', value: 'example.com/app:2' },
  ];
  const theirs = (document: unknown, operations: readonly object[]): unknown =>
    applyPatch(document, operations, true, false).newDocument;
  const differing = patches.filter(
    ([document, operations, result]) =>
      !sameJson(
        outcomeOf(() => theirs(document, operations)),
        result,
      ),
  );
  return {
    what: 'apply a JSON patch of three operations to a pod of 5 KB',
    ours: cpuMicros(() => applyJsonPatch(pod, patch)),
    library: 'fast-json-patch',
    theirs: cpuMicros(() => theirs(pod, patch)),
    unit: 'µs',
    note: `differs in ${differing.length} of ${patches.length} patches that servers of this API agree on`,
  };
}

function jsonPath(): Comparison {
  const { JSONPath } = library('jsonpath-plus');
  const theirs = (path: string): unknown => JSONPath({ path, json: listed, eval: 'safe', wrap: true });
  const differing = paths.filter(
    ([path, found]) =>
      !sameJson(
        outcomeOf(() => theirs(`$${path}`)),
        found,
      ),
  );
  const path = parseJsonPath('.items[*].name');
  return {
    what: 'evaluate a JSON path over a list of two',
    ours: cpuMicros(() => evaluateJsonPath(path, listed)),
    library: 'jsonpath-plus',
    theirs: cpuMicros(() => JSONPath({ path: '$.items[*].name', json: listed })),
    unit: 'µs',
    note: `reads ${differing.length} of ${paths.length} paths of kubectl differently`,
  };
}

function lru(): Comparison {
  const { LRUCache } = library('lru-cache');
  const keys = Array.from({ length: 2000 }, (_, i) => `key-${i}`);
  const theirs = new LRUCache({ max: 1000, ttl: 10_000 });
  const ours = new Map<string, { readonly value: number; readonly expires: number }>();
  let next = 0;
  const key = (): string => keys[next++ % keys.length] ?? '';
  return {
    what: 'write one entry of a full cache of 1,000, by `Map`',
    ours: cpuMicros(() => {
      const name = key();
      ours.delete(name);
      if (ours.size >= 1000) ours.delete(ours.keys().next().value ?? '');
      ours.set(name, { value: 1, expires: 10_000 });
    }, 20_000),
    library: 'lru-cache',
    theirs: cpuMicros(() => theirs.set(key(), 1), 20_000),
    unit: 'µs',
  };
}

const sizes = (): readonly Comparison[] =>
  (
    [
      [
        'reading of tar archives',
        'packages/orchctl/src/tar/tar-reader.ts',
        'TarReader',
        'tar-stream',
        'extract',
      ],
      [
        'a WebSocket client',
        'packages/client/src/streams/open-web-socket.ts',
        'openWebSocket',
        'ws',
        'WebSocket',
      ],
      ['tables', 'packages/orchctl/src/print/styled-table.ts', 'StyledTable', 'cli-table3', 'default'],
    ] as const
  ).map(([what, file, ours, name, theirs]) => ({
    what: `size of ${what}, minified`,
    ours: bundleKilobytes(sourceFile(file), ours),
    library: name,
    theirs: bundleKilobytes(name, theirs),
    unit: 'kB',
  }));

/** JSON patch, JSON path, caches, and the size of what `orchctl` and the client library would carry. */
export const smallFormats = (): readonly Comparison[] => [jsonPatch(), jsonPath(), lru(), ...sizes()];
