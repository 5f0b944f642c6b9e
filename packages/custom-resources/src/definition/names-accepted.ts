import type { CustomResourceDefinition, CustomResourceDefinitionNames } from '@orch/kinds/apiextensions';
import type { Draft } from '@orch/kinds/draft';
import type { DefinitionCondition } from './condition.ts';

/** Names that are taken in one API group. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The result for the names that a definition requests. */
export interface NamesDecision {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly condition: DefinitionCondition;
}

const present = (names: readonly string[]): readonly string[] => names.filter((name) => name !== '');

/** The accepted names of the definitions of a group, and the names of built-in resources of that group. */
export function takenNames(
  others: readonly Pick<CustomResourceDefinition, 'status'>[],
  builtIn: TakenNames,
): TakenNames {
  const accepted = others.map(({ status }) => status?.acceptedNames ?? {});
  return {
    resources: new Set([
      ...builtIn.resources,
      ...accepted.flatMap(({ plural = '', shortNames = [], singular = '' }) =>
        present([plural, singular, ...shortNames]),
      ),
    ]),
    kinds: new Set([
      ...builtIn.kinds,
      ...accepted.flatMap(({ kind = '', listKind = '' }) => present([kind, listKind])),
    ]),
  };
}

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

/** Several problems joined into one message. */
const joined = (problems: readonly string[]): string =>
  problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`;

/** Decides on the names of one definition. */
class NamesCheck {
  readonly accepted: Draft<CustomResourceDefinitionNames>;
  conflict: { readonly reason: string; readonly message: string } | undefined;
  readonly #requested: CustomResourceDefinitionNames;

  constructor(requested: CustomResourceDefinitionNames = {}, accepted: CustomResourceDefinitionNames = {}) {
    this.#requested = requested;
    this.accepted = { ...accepted };
  }

  /** Accepts a name unless another definition has it. An accepted name stays. */
  name(field: 'plural' | 'singular' | 'kind' | 'listKind', taken: ReadonlySet<string>, reason: string): void {
    const requested = this.#requested[field] ?? '';
    if (requested !== (this.accepted[field] ?? '') && taken.has(requested)) {
      this.conflict = { reason, message: inUse(requested) };
    } else if (requested === '') delete this.accepted[field];
    else this.accepted[field] = requested;
  }

  /** Short names are accepted all together. */
  shortNames(taken: ReadonlySet<string>): void {
    const { shortNames: requested = [] } = this.#requested;
    const own = new Set(this.accepted.shortNames);
    const problems = requested.filter((name) => !own.has(name) && taken.has(name)).map(inUse);
    if (problems.length > 0) {
      this.conflict = { reason: 'ShortNamesConflict', message: joined([...new Set(problems)]) };
    } else if (requested.length === 0) delete this.accepted.shortNames;
    else this.accepted.shortNames = requested;
  }

  /** Categories may be shared. */
  categories(): void {
    const { categories: requested = [] } = this.#requested;
    if (requested.length === 0) delete this.accepted.categories;
    else this.accepted.categories = requested;
  }
}

/**
 * The accepted names of a definition, and the condition that reports them. `taken` are the names of all other
 * definitions and built-in resources of its group. The last conflict is reported.
 */
export function acceptNames({ spec, status }: CustomResourceDefinition, taken: TakenNames): NamesDecision {
  const check = new NamesCheck(spec?.names, status?.acceptedNames);
  check.name('plural', taken.resources, 'PluralConflict');
  check.name('singular', taken.resources, 'SingularConflict');
  check.shortNames(taken.resources);
  check.name('kind', taken.kinds, 'KindConflict');
  check.name('listKind', taken.kinds, 'ListKindConflict');
  check.categories();
  const { accepted, conflict } = check;
  const type = 'NamesAccepted';
  return {
    acceptedNames: accepted,
    condition:
      conflict === undefined
        ? { type, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
        : { type, status: 'False', ...conflict },
  };
}
