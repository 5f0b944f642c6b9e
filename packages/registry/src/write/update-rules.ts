import type { StrategyContext } from '@orch/apis';
import type { ApiObject, FieldError } from '@orch/machinery';
import type { StoredResource } from '../resource/served-resource.ts';

/** What a path may write of an object, and by which rules. */
export interface UpdateRules {
  /** Restores from `old` what the path does not write, and sets what the server decides. */
  prepare(next: ApiObject, old: ApiObject, strategy: StrategyContext): void;
  /** Beyond metadata and schema. */
  validate(next: ApiObject, old: ApiObject, strategy: StrategyContext): readonly FieldError[];
}

/** The path of the object itself writes all but the status, where that has a path of its own. */
export function mainRules({ type, subresources }: StoredResource): UpdateRules {
  const { strategy } = type;
  const keepsStatus = subresources.has('status');
  return {
    prepare(next, old, context) {
      if (keepsStatus) restore(next, old, 'status');
      strategy.prepareForUpdate?.(next, old, context);
    },
    validate: (next, old, context) => strategy.validate?.(next, old, context) ?? [],
  };
}

/**
 * A subresource that shows the object itself writes what its kind says (`status`, `finalize`, `ephemeralcontainers`);
 * without a word of the kind, the member of its name.
 */
export function subresourceRules({ type }: StoredResource, subresource: string): UpdateRules {
  const rules = type.strategy.through?.[subresource];
  return {
    prepare(next, old, context) {
      if (rules !== undefined) rules.prepareForUpdate(next, old, context);
      else restoreAllBut(next, old, subresource);
    },
    validate: (next, old, context) => rules?.validate?.(next, old, context) ?? [],
  };
}

function restoreAllBut(next: ApiObject, old: ApiObject, kept: string): void {
  for (const member of new Set([...Object.keys(next), ...Object.keys(old)])) {
    if (member !== kept && member !== 'metadata') restore(next, old, member);
  }
}

function restore(next: ApiObject, old: ApiObject, member: string): void {
  if (Object.hasOwn(old, member)) next[member] = old[member];
  else delete next[member];
}
