import type { Strategy, StrategyContext, SubresourceRules } from '@orch/apis';
import type { ApiObject, FieldError, Names } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { compileCodec } from '@orch/schema';
import { hubOf } from '../../convert/version-converter.ts';
import type { StoredResource } from '../../resource/served-resource.ts';

/** The part of an object that a path writes, and its validation. */
export interface UpdateRules {
  /** Restores the fields of `old` that the path does not write, and sets those that the server determines. */
  prepare(next: ApiObject, old: ApiObject, strategy: StrategyContext): void;
  /** Beyond metadata and schema. */
  validate(next: ApiObject, old: ApiObject, strategy: StrategyContext): readonly FieldError[];
  /** As `validate`, in pieces, where it may take long. May throw `TypeError` for an object that `validate` can validate. */
  validation?(
    next: ApiObject,
    old: ApiObject,
    strategy: StrategyContext,
  ): Work<readonly FieldError[]> | undefined;
  /** What the client should know about a valid object. */
  warnings?(next: ApiObject, old: ApiObject, strategy: StrategyContext): readonly string[];
  /** The generation stays whatever changes. */
  readonly keepsGeneration?: true;
}

/**
 * Rules read stored objects by their declared types. An object that another program has stored with a field of another
 * type is read as a codec reads it, without that field. This is checked only after a rule has failed, so that other
 * writes cost nothing.
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

/** The path of the object itself writes everything but the status, if status has a subresource. */
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
    ...(strategy.validation === undefined ? {} : { validation: strategy.validation }),
    ...warningsOf(resource, strategy),
  };
}

/**
 * A subresource that shows the object itself writes the fields that its kind declares (`status`, `finalize`,
 * `ephemeralcontainers`, `resize`), by default the field of its name.
 */
export function subresourceRules(resource: StoredResource, subresource: string): UpdateRules {
  const rules = resource.type.strategy.through?.[subresource];
  return {
    ...(rules?.keepsGeneration === true && { keepsGeneration: true }),
    prepare(next, old, context) {
      if (rules === undefined) restoreAllBut(next, old, subresource);
      else
        withStored(resource, old, context.names, (stored) => rules.prepareForUpdate(next, stored, context));
    },
    validate: (next, old, context) =>
      withStored(resource, old, context.names, (stored) => rules?.validate?.(next, stored, context) ?? []),
    ...warningsOf(resource, rules),
  };
}

/** The warnings that the rules of a path have. */
function warningsOf(
  resource: StoredResource,
  rules: Pick<Strategy, 'warnings'> | SubresourceRules | undefined,
): Pick<UpdateRules, 'warnings'> {
  if (rules?.warnings === undefined) return {};
  return {
    warnings: (next, old, context) =>
      withStored(resource, old, context.names, (stored) => rules.warnings?.(next, stored, context) ?? []),
  };
}

function restoreAllBut(next: ApiObject, old: ApiObject, writable: string): void {
  for (const field of new Set([...Object.keys(next), ...Object.keys(old)])) {
    if (field !== writable && field !== 'metadata') restore(next, old, field);
  }
}

function restore(next: ApiObject, old: ApiObject, field: string): void {
  if (Object.hasOwn(old, field)) next[field] = old[field];
  else delete next[field];
}
