import type { ApiObject } from '@orch/machinery';
import { asObject, asStrings, asText, type JsonObject, specOf, statusOf } from '@orch/machinery/json';
import type { DefinitionCondition } from './condition.ts';

/** Names that are taken in one API group. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** The result for the names that a definition requests. */
export interface NamesDecision {
  readonly acceptedNames: JsonObject;
  readonly condition: DefinitionCondition;
}

const present = (names: readonly string[]): readonly string[] => names.filter((name) => name !== '');

/** The accepted names of the definitions of a group, and the names of built-in resources of that group. */
export function takenNames(others: readonly ApiObject[], builtIn: TakenNames): TakenNames {
  const accepted = others.map((one) => asObject(statusOf(one)['acceptedNames']));
  return {
    resources: new Set([
      ...builtIn.resources,
      ...accepted.flatMap(({ plural, shortNames, singular }) =>
        present([asText(plural), asText(singular), ...asStrings(shortNames)]),
      ),
    ]),
    kinds: new Set([
      ...builtIn.kinds,
      ...accepted.flatMap(({ kind, listKind }) => present([asText(kind), asText(listKind)])),
    ]),
  };
}

const inUse = (name: string): string => `${JSON.stringify(name)} is already in use`;

/** Several problems joined into one message. */
const joined = (problems: readonly string[]): string =>
  problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`;

/** Decides on the names of one definition. */
class NamesCheck {
  readonly accepted: Record<string, unknown>;
  conflict: { readonly reason: string; readonly message: string } | undefined;
  readonly #requested: JsonObject;

  constructor(requested: JsonObject, accepted: JsonObject) {
    this.#requested = requested;
    this.accepted = { ...accepted };
  }

  /** Accepts a name unless another definition has it. An accepted name is kept. */
  name(field: string, taken: ReadonlySet<string>, reason: string): void {
    const requested = asText(this.#requested[field]);
    if (requested !== asText(this.accepted[field]) && taken.has(requested)) {
      this.conflict = { reason, message: inUse(requested) };
    } else if (requested === '') delete this.accepted[field];
    else this.accepted[field] = requested;
  }

  /** Short names are accepted all together. */
  shortNames(taken: ReadonlySet<string>): void {
    const requested = asStrings(this.#requested['shortNames']);
    const own = new Set(asStrings(this.accepted['shortNames']));
    const problems = requested.filter((name) => !own.has(name) && taken.has(name)).map(inUse);
    if (problems.length > 0) {
      this.conflict = { reason: 'ShortNamesConflict', message: joined([...new Set(problems)]) };
    } else if (requested.length === 0) delete this.accepted['shortNames'];
    else this.accepted['shortNames'] = requested;
  }

  /** Categories may be shared. */
  categories(): void {
    const requested = asStrings(this.#requested['categories']);
    if (requested.length === 0) delete this.accepted['categories'];
    else this.accepted['categories'] = requested;
  }
}

/**
 * The accepted names of a definition, and the condition that reports them. `taken` are the names of all other
 * definitions and built-in resources of its group. The last conflict is reported.
 */
export function acceptNames(definition: ApiObject, taken: TakenNames): NamesDecision {
  const requested = asObject(specOf(definition)['names']);
  const check = new NamesCheck(requested, asObject(statusOf(definition)['acceptedNames']));
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
