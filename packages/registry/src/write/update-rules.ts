import type { StrategyContext } from '@orch/apis';
import type { ApiObject, FieldError, Names } from '@orch/machinery';
import { compileCodec } from '@orch/schema';
import { hubOf } from '../convert/version-form.ts';
import type { StoredResource } from '../resource/served-resource.ts';

/** What a path may write of an object, and by which rules. */
export interface UpdateRules {
  /** Restores from `old` what the path does not write, and sets what the server decides. */
  prepare(next: ApiObject, old: ApiObject, strategy: StrategyContext): void;
  /** Beyond metadata and schema. */
  validate(next: ApiObject, old: ApiObject, strategy: StrategyContext): readonly FieldError[];
}

/**
 * Rules read stored objects by their declared types. What another program has stored with a field of another type is read
 * as a codec reads it, without that field. This is checked only after a rule has failed, so that other writes cost nothing.
 */
function withStored<T>(
  { type }: StoredResource,
  old: ApiObject,
  names: Names,
  run: (old: ApiObject) => T,
): T {
  try {
    return run(old);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { value, problems } = compileCodec(hubOf(type).schema, names).decode(old);
    if (problems.length === 0) throw error;
    return run(value);
  }
}

/** The path of the object itself writes all but the status, where that has a path of its own. */
export function mainRules(resource: StoredResource): UpdateRules {
  const { type, subresources } = resource;
  const { strategy } = type;
  const keepsStatus = subresources.has('status');
  return {
    prepare(next, old, context) {
      if (keepsStatus) restore(next, old, 'status');
      withStored(resource, old, context.names, (stored) =>
        strategy.prepareForUpdate?.(next, stored, context),
      );
    },
    validate: (next, old, context) =>
      withStored(resource, old, context.names, (stored) => strategy.validate?.(next, stored, context) ?? []),
  };
}

/**
 * A subresource that shows the object itself writes what its kind says (`status`, `finalize`, `ephemeralcontainers`);
 * without a word of the kind, the member of its name.
 */
export function subresourceRules(resource: StoredResource, subresource: string): UpdateRules {
  const rules = resource.type.strategy.through?.[subresource];
  return {
    prepare(next, old, context) {
      if (rules === undefined) restoreAllBut(next, old, subresource);
      else
        withStored(resource, old, context.names, (stored) => rules.prepareForUpdate(next, stored, context));
    },
    validate: (next, old, context) =>
      withStored(resource, old, context.names, (stored) => rules?.validate?.(next, stored, context) ?? []),
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
