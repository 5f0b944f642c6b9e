import type { StrategyContext } from '@orch/apis';
import { type ApiObject, errors, type FieldError, formatTime, validateObjectMeta } from '@orch/machinery';
import type { RegistryContext } from './registry-context.ts';
import { kindSubjectOf, type ServedResource } from './served-resource.ts';

/** What strategies may ask: the time of this request, and chance. */
export function strategyContext(context: RegistryContext): StrategyContext {
  const { clock, random } = context.env;
  return { names: context.names, now: formatTime(clock.now()), uuid: () => random.uuid() };
}

/** Refuses an object that breaks a rule: of its metadata, its schema, its kind (`ofKind`), in this order (422). */
export function validateObject(
  resource: ServedResource,
  next: ApiObject,
  old: ApiObject | undefined,
  strategy: StrategyContext,
  ofKind: () => readonly FieldError[],
): void {
  const { type } = resource;
  const problems = [
    ...validateObjectMeta(next.metadata, {
      namespaced: type.namespaced,
      nameFormat: type.nameFormat,
      ...(type.maxNameLength === undefined ? {} : { maxNameLength: type.maxNameLength }),
      names: strategy.names,
      ...(old === undefined ? {} : { old: old.metadata }),
    }),
    ...resource.codec.validate(next, old),
    ...ofKind(),
  ];
  if (problems.length > 0) throw errors.invalid(kindSubjectOf(resource, next.metadata.name ?? ''), problems);
}
