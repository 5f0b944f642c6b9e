import { buildGoPrograms } from '@orch/testkit/go-program';
import { makePackageArchives } from '@orch/testkit/package-archives';
import { affectedTests } from './changed/affected-tests.ts';
import { ImportGraph } from './changed/import-graph.ts';

/** Files that the runner makes once for many tests, by the module through which tests use them. */
const makers: Readonly<Record<string, () => Promise<void>>> = {
  'packages/testkit/src/go-program.ts': buildGoPrograms,
  'packages/testkit/src/package-archives.ts': makePackageArchives,
};

export interface Preparations {
  /** Whether one of these test files uses them. Others need not wait for their end. */
  readonly areUsedBy: (files: readonly string[]) => boolean;
  /** Resolves once all are made. */
  readonly made: Promise<void>;
  readonly areMade: () => boolean;
}

export const noPreparations: Preparations = {
  areUsedBy: () => false,
  made: Promise.resolve(),
  areMade: () => true,
};

/** Starts all preparations for a run of `tests`. */
export function prepare(root: string, tests: readonly string[]): Preparations {
  let areMade = false;
  const made = Promise.all(Object.values(makers).map((make) => make())).then(() => {
    areMade = true;
  });
  const affected = affectedTests(new ImportGraph(root), tests, Object.keys(makers), []);
  const users = new Set(affected.flatMap(({ test, imports }) => (Number.isFinite(imports) ? [test] : [])));
  return { areUsedBy: (files) => files.some((file) => users.has(file)), made, areMade: () => areMade };
}

/** All items in their order, but those that wait are left out until they are `ready`; they come last if they never are. */
export function* readyFirst<T>(
  items: Iterable<T>,
  waits: (item: T) => boolean,
  ready: () => boolean,
): Generator<T> {
  const waiting: T[] = [];
  for (const item of items) {
    if (ready()) yield* waiting.splice(0);
    if (!ready() && waits(item)) waiting.push(item);
    else yield item;
  }
  yield* waiting;
}
