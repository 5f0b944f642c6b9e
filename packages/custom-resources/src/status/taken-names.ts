import type { CustomResourceDefinition } from '@orch/kinds/apiextensions';
import { jsonEquals } from '@orch/machinery/json';
import type { ServedApi } from '@orch/registry';
import { type TakenNames, takenNames } from '../definition/names-accepted.ts';

/** The names that definitions were granted, by group, kept in step with the definitions. */
export class GrantedNames {
  readonly #table: ServedApi['table'];
  readonly #groups = new Map<string, Map<string, CustomResourceDefinition>>();
  readonly #groupOf = new Map<string, string>();
  /** By group; built-in resources do not change while a server runs. */
  readonly #builtIn = new Map<string, TakenNames>();

  constructor({ table }: Pick<ServedApi, 'table'>) {
    this.#table = table;
  }

  /** Records what a definition was granted. Returns the definitions of its group that this may affect. */
  set(name: string, definition: CustomResourceDefinition): readonly string[] {
    const group = definition.spec?.group ?? '';
    const { acceptedNames = {} } = definition.status ?? {};
    const before = this.#groups.get(group)?.get(name);
    if (before !== undefined && jsonEquals(before.status?.acceptedNames, acceptedNames)) return [];
    const moved = this.delete(name);
    const definitions = this.#groups.get(group) ?? new Map<string, CustomResourceDefinition>();
    definitions.set(name, { metadata: { name }, status: { acceptedNames } });
    this.#groups.set(group, definitions);
    this.#groupOf.set(name, group);
    return moved;
  }

  /** Names of all definitions that are recorded. */
  names(): Iterable<string> {
    return this.#groupOf.keys();
  }

  /** Forgets a definition. Returns the other definitions of its group, for which names may have become free. */
  delete(name: string): readonly string[] {
    const group = this.#groupOf.get(name);
    const definitions = group === undefined ? undefined : this.#groups.get(group);
    if (group === undefined || definitions === undefined) return [];
    this.#groupOf.delete(name);
    definitions.delete(name);
    if (definitions.size === 0) this.#groups.delete(group);
    return [...definitions.keys()];
  }

  /** Names of a group that a definition cannot have, since others have them. */
  takenFrom(name: string, group: string): TakenNames {
    const others = [...(this.#groups.get(group) ?? [])].filter(([other]) => other !== name);
    return takenNames(
      others.map(([, definition]) => definition),
      this.#builtInOf(group),
    );
  }

  #builtInOf(group: string): TakenNames {
    const known = this.#builtIn.get(group);
    if (known !== undefined) return known;
    const found = this.#findBuiltIn(group);
    this.#builtIn.set(group, found);
    return found;
  }

  #findBuiltIn(group: string): TakenNames {
    const resources = new Set<string>();
    const kinds = new Set<string>();
    for (const { group: served, groupKey, type } of this.#table.all) {
      // The group key of a custom resource is its group.
      if (served !== group || groupKey === group) continue;
      for (const name of [type.resource, type.singular, ...type.shortNames]) resources.add(name);
      kinds.add(type.kind).add(`${type.kind}List`);
    }
    return { resources, kinds };
  }
}
