import { buildGoPrograms } from '@orch/testkit/go-program';
import { makeExecutable } from '@orch/testkit/orchctl-executable';
import { makePackageArchives } from '@orch/testkit/package-archives';
import { makePackageTools } from '@orch/testkit/package-tools';
import { affectedTests } from './changed/affected-tests.ts';
import { ImportGraph } from './changed/import-graph.ts';
import { isAcrossPackages } from './plan.ts';

interface Maker {
  /** The module through which tests use what it makes. */
  readonly module: string;
  readonly make: () => Promise<void>;
  /** Whether a run of some tests makes it as well; they make the others themselves. */
  readonly isForEveryRun: boolean;
}

/** Files that the runner makes once for many tests. */
const makers: readonly Maker[] = [
  { module: 'packages/testkit/src/go-program.ts', make: buildGoPrograms, isForEveryRun: false },
  { module: 'packages/testkit/src/package-archives.ts', make: makePackageArchives, isForEveryRun: true },
  { module: 'packages/testkit/src/package-tools.ts', make: makePackageTools, isForEveryRun: true },
  { module: 'packages/testkit/src/orchctl-executable.ts', make: makeExecutable, isForEveryRun: true },
];

/** Files that the runner is making, or has made. */
interface Preparation {
  /** The module through which tests use what is made. */
  readonly module: string;
  readonly users: ReadonlySet<string>;
  readonly made: Promise<void>;
  isMade: boolean;
}

/** The preparations of a run. Test files that do not use one need not wait for its end. */
export class Preparations {
  readonly #all: readonly Preparation[];

  constructor(all: readonly Preparation[]) {
    this.#all = all;
  }

  /** Whether one of these test files uses files that are not made yet. */
  delay(files: readonly string[]): boolean {
    return this.#of(files).some(({ isMade }) => !isMade);
  }

  /** Resolves once all files that these test files use are made. */
  async madeFor(files: readonly string[]): Promise<void> {
    await Promise.all(this.#of(files).map(({ made }) => made));
  }

  /** Names the modules whose files are not made yet, as the end of a sentence; empty when all are made. */
  describeUnmade(): string {
    const unmade = this.#all.filter(({ isMade }) => !isMade).map(({ module }) => module);
    return unmade.length === 0 ? '' : ` before the files of ${unmade.join(', ')} were made`;
  }

  #of(files: readonly string[]): readonly Preparation[] {
    return this.#all.filter(({ users }) => files.some((file) => users.has(file)));
  }
}

/** Starts the preparations that some of `tests` use, for a run of all tests of the checkout `root` or of these. */
export function prepare(root: string, tests: readonly string[], isWhole: boolean): Preparations {
  // Unit tests use none, and the graph costs more than most of them.
  const possible = tests.filter(isAcrossPackages);
  if (possible.length === 0) return new Preparations([]);
  const graph = new ImportGraph(root);
  const all = makers.flatMap(({ module, make, isForEveryRun }): readonly Preparation[] => {
    if (!isWhole && !isForEveryRun) return [];
    const affected = affectedTests(graph, possible, [module], []);
    const users = new Set(affected.flatMap(({ test, imports }) => (Number.isFinite(imports) ? [test] : [])));
    return users.size === 0 ? [] : [preparation(module, users, make())];
  });
  return new Preparations(all);
}

function preparation(module: string, users: ReadonlySet<string>, made: Promise<void>): Preparation {
  const one: Preparation = { module, users, made, isMade: false };
  const finished = (): void => {
    one.isMade = true;
  };
  made.then(finished, finished);
  return one;
}

/** All items in their order, but those that wait are left out until they need not; they come last if they always wait. */
export function* readyFirst<T>(items: Iterable<T>, waits: (item: T) => boolean): Generator<T> {
  let waiting: readonly T[] = [];
  for (const item of items) {
    const ready = waiting.filter((one) => !waits(one));
    waiting = waiting.filter((one) => !ready.includes(one));
    yield* ready;
    if (waits(item)) waiting = [...waiting, item];
    else yield item;
  }
  yield* waiting;
}
