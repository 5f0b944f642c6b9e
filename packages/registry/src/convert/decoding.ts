import { defaultedIn, fieldDeclaredIn, isPast, omittedWhereEmpty, type Release } from '@orch/apis';
import { type ApiObject, errors, type Names } from '@orch/machinery';
import {
  type Codec,
  type CodecCompiler,
  type CodecOptions,
  codecCompiler,
  type DecodeProblem,
  type Field,
  type StructSchema,
} from '@orch/schema';
import { DisabledFields } from './disabled-fields.ts';

/** Options for decoding the body of a request. */
export interface Decoding {
  readonly codec: Codec;
  /** Removes the fields from a decoded object that are disabled and that the stored object does not have. */
  finish?(object: ApiObject): void;
}

/** The codecs of a kind in one version. */
export interface KindCodecs extends Decoding {
  /** Includes fields behind a disabled feature gate of the release: they are dropped, but are not unknown. */
  readonly declared: Codec;
  /** The options for decoding an update of the object `old` in this version. */
  forUpdateOf(old: ApiObject): Decoding;
}

export interface KindCodecsOptions {
  readonly names: Names;
  readonly release: Release;
  /** Reports whether the release serves a field. */
  readonly includes: (field: Field) => boolean;
  readonly addedChecks?: CodecOptions['addedChecks'];
}

/** Compiles the codecs of kinds; those for objects with disabled fields on first use. */
export function kindCodecs(
  { names, release, includes, addedChecks }: KindCodecsOptions,
  codecs: CodecCompiler,
): (schema: StructSchema) => KindCodecs {
  const isDisabled = (field: Field): boolean => !includes(field) && !isPast(field, release);
  const shared = { quiet: omittedWhereEmpty(release), defaults: defaultedIn(release) };
  const keeping = codecCompiler(names, {
    includes: (field) => !isPast(field, release),
    ...shared,
    ...(addedChecks === undefined ? {} : { addedChecks }),
  });
  const declared = codecCompiler(names, { includes: fieldDeclaredIn(release, includes), ...shared });
  return (schema) => {
    const codec = codecs.compile(schema);
    let disabled: { readonly fields: DisabledFields | undefined } | undefined;
    const withoutDisabled: Decoding = { codec };
    return {
      codec,
      get declared() {
        return declared.compile(schema);
      },
      forUpdateOf(old) {
        disabled ??= { fields: DisabledFields.of(schema, names, isDisabled) };
        const { fields } = disabled;
        const kept = fields?.usedBy(old);
        if (fields === undefined || kept === undefined) return withoutDisabled;
        return { codec: keeping.compile(schema), finish: (object) => fields.prune(object, kept) };
      },
    };
  };
}

/** Refuses an object that is too large after defaulting (422). */
export function refuseOversized(problems: readonly DecodeProblem[], kind: string): void {
  const oversized = problems.find((problem) => problem.kind === 'size');
  if (oversized === undefined) return;
  const message = `the object cannot be stored as ${kind}: ${oversized.message}`;
  throw errors.unprocessable(message, [], () => ({ message }));
}
