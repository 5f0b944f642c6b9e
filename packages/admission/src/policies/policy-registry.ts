import type { ObjectSource, SourceObject } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import { SelectorError } from '@orch/machinery/selectors';
import { isExempt } from '../matching/exempt.ts';
import type { RuleObjects, WriteTarget } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import type { BindingDefinition, PolicyDefinition } from './definitions.ts';

/** Parses a kind of policies and its bindings. Objects are in the hub version. */
export interface PolicyKinds<P extends PolicyDefinition, B extends BindingDefinition> {
  /** Resources as `ObjectSource` names them. */
  readonly policies: string;
  readonly bindings: string;
  readPolicy(object: ApiObject): P;
  readBinding(object: ApiObject): B;
}

/** A policy that is in effect. */
export interface BoundPolicy<P, B> {
  readonly policy: P;
  /** At least one. */
  readonly bindings: readonly B[];
}

/** The policies that may apply to the writes of a resource, valid while the served resources do not change. */
interface Candidates<T> {
  readonly equivalents: readonly VersionedResource[];
  readonly found: readonly T[];
}

/** The policies of the cluster with their bindings, sorted by name. They are read again after a change. */
export class PolicyRegistry<P extends PolicyDefinition, B extends BindingDefinition> implements RuleObjects {
  /** False until the policies in effect are known. */
  isEmpty = false;
  readonly #source: ObjectSource;
  readonly #kinds: PolicyKinds<P, B>;
  readonly #policies = new DefinitionCache<P>();
  readonly #bindings = new DefinitionCache<B>();
  /** Undefined after a change. */
  #bound: readonly BoundPolicy<P, B>[] | undefined;
  #candidates = new WeakMap<VersionedResource, Map<string, Candidates<BoundPolicy<P, B>>>>();

  constructor(source: ObjectSource, kinds: PolicyKinds<P, B>) {
    this.#source = source;
    this.#kinds = kinds;
    const outdated = (): void => {
      this.#bound = undefined;
      this.isEmpty = false;
    };
    for (const resource of [kinds.policies, kinds.bindings])
      source.subscribe(resource, { reset: outdated, changed: outdated });
  }

  /**
   * The policies that may apply to a write, as far as that is known before any object is read. Throws an `ApiError` while a policy or a
   * binding cannot be read: it may refuse the write.
   */
  candidates(target: WriteTarget): readonly BoundPolicy<P, B>[] {
    if (isExempt(target)) return [];
    const bound = this.#current();
    if (bound.length === 0) return bound;
    const { requested, operation } = target;
    const operations = this.#candidates.get(requested) ?? new Map<string, Candidates<BoundPolicy<P, B>>>();
    const known = operations.get(operation);
    const equivalents = requested.equivalents();
    if (known?.equivalents === equivalents) return known.found;
    const found = bound.filter(({ policy }) => policy.matcher.handles(target));
    this.#candidates.set(requested, operations.set(operation, { equivalents, found }));
    return found;
  }

  #current(): readonly BoundPolicy<P, B>[] {
    if (this.#bound !== undefined) return this.#bound;
    this.#candidates = new WeakMap();
    const { policies, bindings, readPolicy, readBinding } = this.#kinds;
    const byPolicy = Map.groupBy(
      this.#bindings.read(this.#source.list(bindings), readBinding),
      ({ policyName }) => policyName,
    );
    this.#bound = this.#policies.read(this.#source.list(policies), readPolicy).flatMap((policy) => {
      const found = byPolicy.get(policy.name);
      return found === undefined ? [] : [{ policy, bindings: found }];
    });
    this.isEmpty = this.#bound.length === 0;
    return this.#bound;
  }
}

interface Entry<T> {
  readonly revision: number;
  /** Generation of the spec: compiled expressions survive changes of status and labels. */
  readonly specification: string;
  /** Undefined for an object that cannot be used. */
  readonly definition: T | undefined;
}

/** Definitions by the keys of their objects: each spec is parsed once. */
class DefinitionCache<T> {
  #entries: ReadonlyMap<string, Entry<T>> = new Map();

  /** The definitions of the objects that exist, in order of their keys. */
  read(objects: readonly SourceObject[], read: (object: ApiObject) => T): readonly T[] {
    const entries = new Map<string, Entry<T>>();
    for (const object of objects) {
      const known = this.#entries.get(object.key);
      entries.set(object.key, known?.revision === object.revision ? known : entryOf(object, known, read));
    }
    this.#entries = entries;
    return [...entries]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, { definition }]) => (definition === undefined ? [] : [definition]));
  }
}

function entryOf<T>(
  source: SourceObject,
  known: Entry<T> | undefined,
  read: (object: ApiObject) => T,
): Entry<T> {
  const object = source.read();
  const { uid = '', generation = 0 } = object.metadata;
  const specification = `${uid}/${generation}`;
  const { revision } = source;
  // Objects without generations are read after each change.
  if (known !== undefined && generation > 0 && known.specification === specification)
    return { ...known, revision };
  return { revision, specification, definition: definitionOf(object, read) };
}

/** Validation refuses invalid selectors: an object that has one nevertheless must not make all writes fail. */
function definitionOf<T>(object: ApiObject, read: (object: ApiObject) => T): T | undefined {
  try {
    return read(object);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}
