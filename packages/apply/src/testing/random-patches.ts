/** A JSON patch with the document that it changes. */
export interface PatchCase {
  readonly document: unknown;
  readonly patch: readonly Operation[];
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

const paths = [
  ...[
    '',
    '/',
    '/a',
    '/a/',
    '/a/b',
    '/a/b/c',
    '/n',
    '/n/x',
    '/new',
    '/new/x',
    '/num',
    '/dup',
    '/t/0',
    '/e/0',
    '/e/-',
  ],
  ...[
    '/l',
    '/l/0',
    '/l/1',
    '/l/2',
    '/l/3',
    '/l/-',
    '/l/-1',
    '/l/-3',
    '/l/-4',
    '/l/01',
    '/l/+1',
    '/l/x',
    '/l/1/k',
  ],
  ...['/l/9999999999', '/~0t', '/s~1t', '/s~1t/~01', '/~2', 'a'],
];
const values = [
  ...[null, 0, -0.5, 1, 1.5, 1e21, 'x', '', true, false, [], {}],
  ...[[1, null], { b: { c: 1 } }, { k: null }, [[]]],
];
const documents = [
  {
    ...{ a: { b: { c: 1 } }, l: [1, { k: 2 }, 'z'], '~t': 1, 's/t': { '~1': 2 }, '': 3 },
    ...{ n: null, t: 'text', e: [], num: 1, dup: 1 },
  },
  { a: [], l: {}, n: {}, e: [[1], [2]], num: 1, t: true },
  { l: [[1, 2], [3]], a: null },
];
const operations = ['add', 'add', 'remove', 'replace', 'move', 'copy', 'test', 'test'];

type Int = (below: number) => number;

/** The cases of a seed. Each has one or two operations, which may fail. */
export function* patchCases(seed: number, count: number): Generator<PatchCase> {
  let state = seed >>> 0;
  const int: Int = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let at = 0; at < count; at++)
    yield {
      document: documents[int(documents.length)],
      patch: Array.from({ length: 1 + int(2) }, () => operation(int)),
    };
}

function operation(int: Int): Operation {
  const op = operations[int(operations.length)] ?? 'test';
  const path = paths[int(paths.length)] ?? '';
  if (op === 'move' || op === 'copy') return { op, path, from: source(path, int) };
  return op === 'remove' || int(10) === 0 ? { op, path } : { op, path, value: values[int(values.length)] };
}

/** The path itself, its parent or any path. */
function source(path: string, int: Int): string {
  const form = int(8);
  if (form < 2) return path;
  return form < 4 ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : (paths[int(paths.length)] ?? '');
}

/** The patch for an object that holds the document in its field `d`, as it was sent to the server that answered. */
export const patchOfField = ({ document, patch }: PatchCase): readonly Operation[] => [
  { op: 'replace', path: '/d', value: document },
  ...patch.map(({ path, from, ...rest }) => ({
    ...rest,
    path: `/d${path}`,
    ...(from === undefined ? {} : { from: `/d${from}` }),
  })),
];
