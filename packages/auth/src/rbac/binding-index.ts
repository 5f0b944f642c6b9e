import type { UserInfo } from '../types.ts';
import { type CompiledBinding, groupKey, type SubjectKey, userKey } from './policy-objects.ts';
import type { RoleSlot } from './role-table.ts';

/** A binding and its role. */
export interface BoundRole {
  readonly binding: CompiledBinding;
  readonly slot: RoleSlot;
}

/** The bindings of one subject, by namespace; `''` for cluster role bindings. */
type Places = Map<string, Set<BoundRole>>;

/** Bindings by subject, then by namespace: finding those of a user looks at no others. */
export class BindingIndex {
  readonly #byKey = new Map<string, BoundRole>();
  readonly #bySubject = new Map<SubjectKey, Places>();

  /** Puts a binding in the place of the one that had the key, which is returned. */
  set(key: string, bound: BoundRole): BoundRole | undefined {
    const before = this.delete(key);
    this.#byKey.set(key, bound);
    for (const subject of bound.binding.subjects) {
      const places: Places = this.#bySubject.get(subject) ?? new Map();
      this.#bySubject.set(subject, places);
      const there = places.get(bound.binding.namespace);
      if (there === undefined) places.set(bound.binding.namespace, new Set([bound]));
      else there.add(bound);
    }
    return before;
  }

  delete(key: string): BoundRole | undefined {
    const bound = this.#byKey.get(key);
    if (bound === undefined) return undefined;
    this.#byKey.delete(key);
    const { subjects, namespace } = bound.binding;
    for (const subject of subjects) {
      const places = this.#bySubject.get(subject);
      const there = places?.get(namespace);
      there?.delete(bound);
      if (there?.size === 0) places?.delete(namespace);
      if (places?.size === 0) this.#bySubject.delete(subject);
    }
    return bound;
  }

  all(): Iterable<BoundRole> {
    return this.#byKey.values();
  }

  keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }

  /**
   * Visits the bindings of a user that count in a namespace, those of the cluster first, with the subject by which each
   * applies to the user. `visit` returns false to end.
   */
  each(user: UserInfo, namespace: string, visit: (bound: BoundRole, subject: SubjectKey) => boolean): void {
    const subjects = [userKey(user.name), ...user.groups.map(groupKey)];
    const found = subjects.flatMap((subject) => {
      const places = this.#bySubject.get(subject);
      return places === undefined ? [] : [{ subject, places }];
    });
    for (const place of namespace === '' ? [''] : ['', namespace])
      for (const { subject, places } of found)
        for (const bound of places.get(place) ?? none) if (!visit(bound, subject)) return;
  }
}

const none: readonly BoundRole[] = [];
