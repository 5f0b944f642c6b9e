import { atLeast, type Release } from '@orch/apis';
import type { ApiObject, Names } from '@orch/machinery';
import { type Codec, type CodecCompiler, codecCompiler, type Field, type StructSchema } from '@orch/schema';
import { type DisabledFields, disabledFields } from './disabled-fields.ts';

/** How what a client sends is read. */
export interface Decoding {
  readonly codec: Codec;
  /** Takes out of a decoded object what it may not have after all. */
  finish?(object: ApiObject): void;
}

/** The codecs of a kind in one version. */
export interface KindCodecs extends Decoding {
  /** Knows members whose gate is closed: they are dropped, but they are no unknown ones. */
  readonly declared: Codec;
  /** How an update of an object is read, which is given as it is, in this version. */
  forUpdateOf(old: ApiObject): Decoding;
}

export interface KindCodecsOptions {
  readonly names: Names;
  readonly release: Release;
  /** Members that the release serves. */
  readonly includes: (field: Field) => boolean;
}

/** The members that a release knows, also those whose gate is closed: they are dropped, but they are no unknown ones. */
export function declaredIn({
  release,
  includes,
}: Omit<KindCodecsOptions, 'names'>): (field: Field) => boolean {
  return (field) => includes(field) || (field.gate !== undefined && !isPast(field, release));
}

const isPast = ({ until }: Field, release: Release): boolean =>
  until !== undefined && atLeast(release, until);

/** Compiles the codecs of kinds; those for objects with members of another release only when there is such an object. */
export function kindCodecs(
  { names, release, includes }: KindCodecsOptions,
  codecs: CodecCompiler,
): (schema: StructSchema) => KindCodecs {
  const isDisabled = (field: Field): boolean => !includes(field) && !isPast(field, release);
  const keeping = codecCompiler(names, { includes: (field) => !isPast(field, release) });
  const declared = codecCompiler(names, { includes: declaredIn({ release, includes }) });
  return (schema) => {
    const codec = codecs.compile(schema);
    let disabled: { readonly fields: DisabledFields | undefined } | undefined;
    const usual: Decoding = { codec };
    return {
      codec,
      get declared() {
        return declared.compile(schema);
      },
      forUpdateOf(old) {
        disabled ??= { fields: disabledFields(schema, names, isDisabled) };
        const { fields } = disabled;
        const kept = fields?.usedBy(old);
        if (fields === undefined || kept === undefined) return usual;
        return { codec: keeping.compile(schema), finish: (object) => fields.prune(object, kept) };
      },
    };
  };
}
