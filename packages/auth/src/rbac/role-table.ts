import type { CompiledRole, RoleKey } from './policy-objects.ts';

/** The entry of a role, whether or not the role exists: bindings refer to it, so that a decision looks up no names. */
export interface RoleSlot {
  readonly key: RoleKey;
  role: CompiledRole | undefined;
  /** Number of bindings that refer to it. */
  holders: number;
}

/** Roles by name. A slot is kept as long as the role or a binding of it exists. */
export class RoleTable {
  readonly #slots = new Map<RoleKey, RoleSlot>();

  get(key: RoleKey): CompiledRole | undefined {
    return this.#slots.get(key)?.role;
  }

  keys(): readonly RoleKey[] {
    return [...this.#slots.keys()];
  }

  set(key: RoleKey, role: CompiledRole | undefined): void {
    const slot = this.#slot(key);
    slot.role = role;
    this.#forgetUnused(slot);
  }

  hold(key: RoleKey): RoleSlot {
    const slot = this.#slot(key);
    slot.holders++;
    return slot;
  }

  release(slot: RoleSlot): void {
    slot.holders--;
    this.#forgetUnused(slot);
  }

  #slot(key: RoleKey): RoleSlot {
    const found = this.#slots.get(key);
    if (found !== undefined) return found;
    const slot: RoleSlot = { key, role: undefined, holders: 0 };
    this.#slots.set(key, slot);
    return slot;
  }

  #forgetUnused(slot: RoleSlot): void {
    if (slot.role === undefined && slot.holders === 0) this.#slots.delete(slot.key);
  }
}
