import {
  type ApiObject,
  cloneJson,
  type FieldError,
  type Names,
  namesFor,
  type ObjectMeta,
  validateObjectMeta,
} from '@orch/machinery';
import { type Codec, codecCompiler, type DecodeProblem } from '@orch/schema';
import { DEFAULT_EMULATED_RELEASE, fieldServedIn, type Release } from '../lifecycle.ts';
import type { ResourceType, StrategyContext } from '../resource-type.ts';

/** What became of a write. */
export interface Written {
  readonly object: ApiObject;
  readonly problems: readonly DecodeProblem[];
  readonly errors: readonly FieldError[];
}

/** The way of a write through schema and strategy, as the server goes it, without server, admission and store. */
export interface WritePath {
  readonly names: Names;
  codec(type: ResourceType): Codec;
  create(type: ResourceType, input: unknown): Written;
  /** `through` names a subresource that shows the object itself. */
  update(type: ResourceType, stored: ApiObject, input: unknown, through?: string): Written;
}

const stopped = (object: ApiObject, problems: readonly DecodeProblem[]): Written => ({
  object,
  problems,
  errors: [],
});

/** What a client cannot write. */
function restoreMetadata(next: ObjectMeta, old: ObjectMeta): void {
  next.creationTimestamp = old.creationTimestamp ?? null;
  if (old.generation === undefined) delete next.generation;
  else next.generation = old.generation;
}

/** A write path of one naming and release. */
export function writePath(
  names: Names = namesFor('orch'),
  release: Release = DEFAULT_EMULATED_RELEASE,
): WritePath {
  const compiler = codecCompiler(names, { includes: fieldServedIn(release) });
  const context: StrategyContext = {
    names,
    now: '2024-05-06T07:08:09Z',
    uuid: () => '00000000-0000-4000-8000-000000000001',
  };
  const codec = (type: ResourceType): Codec => {
    const schema = type.versions[0]?.schema;
    if (schema === undefined) throw new TypeError(`${type.resource} has no version`);
    return compiler.compile(schema);
  };
  const metadataErrors = (type: ResourceType, meta: ObjectMeta, old?: ObjectMeta): readonly FieldError[] =>
    validateObjectMeta(meta, {
      namespaced: type.namespaced,
      nameFormat: type.nameFormat,
      names,
      ...(old === undefined ? {} : { old }),
    });
  return {
    names,
    codec,
    create(type, input) {
      const { value, problems } = codec(type).decode(input, { defaults: true });
      if (problems.length > 0) return stopped(value, problems);
      const { strategy } = type;
      const { metadata } = value;
      if (type.namespaced) metadata.namespace ??= 'm';
      if (metadata.name === undefined && metadata.generateName !== undefined) {
        metadata.name = `${metadata.generateName}x7k2p`;
      }
      metadata.creationTimestamp = context.now;
      strategy.prepareForCreate?.(value, context);
      const errors = [
        ...metadataErrors(type, value.metadata),
        ...codec(type).validate(value),
        ...(strategy.validate?.(value, undefined, context) ?? []),
      ];
      if (errors.length === 0) strategy.canonicalize?.(value, context);
      return { object: value, problems, errors };
    },
    update(type, stored, input, through) {
      const old = cloneJson(stored);
      const { value, problems } = codec(type).decode(input, { defaults: true });
      if (problems.length > 0) return stopped(value, problems);
      restoreMetadata(value.metadata, old.metadata);
      const { strategy } = type;
      const rules = through === undefined ? strategy : strategy.through?.[through];
      rules?.prepareForUpdate?.(value, old, context);
      const errors = [
        ...metadataErrors(type, value.metadata, old.metadata),
        ...codec(type).validate(value, old),
        ...(rules?.validate?.(value, old, context) ?? []),
      ];
      if (errors.length === 0) strategy.canonicalize?.(value, context);
      return { object: value, problems, errors };
    },
  };
}
