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
import { DisabledFields, OmittedFields } from './disabled-fields.ts';

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

/** Fields of a kind whose presence in an object decides how an update of it is decoded. */
interface FieldsOfOtherReleases {
  readonly disabled: DisabledFields | undefined;
  readonly omitted: OmittedFields | undefined;
}

/** Compiles the codecs of kinds; those for objects with disabled fields on first use. */
export function kindCodecs(
  { names, release, includes, addedChecks }: KindCodecsOptions,
  codecs: CodecCompiler,
): (schema: StructSchema) => KindCodecs {
  const isDisabled = (field: Field): boolean => !includes(field) && !isPast(field, release);
  const isOmitted = omittedWhereEmpty(release);
  const isOmittedLater = (field: Field): boolean => field.omittedSince !== undefined && !isOmitted(field);
  const shared = { quiet: isOmitted, defaults: defaultedIn(release) };
  const stored = { ...shared, ...(addedChecks === undefined ? {} : { addedChecks }) };
  const ofLater = { ...stored, quiet: (field: Field): boolean => field.omittedSince !== undefined };
  const isKept = (field: Field): boolean => !isPast(field, release);
  const keeping = codecCompiler(names, { ...stored, includes: isKept });
  const omitting = codecCompiler(names, { ...ofLater, includes });
  const keepingAndOmitting = codecCompiler(names, { ...ofLater, includes: isKept });
  const declared = codecCompiler(names, { includes: fieldDeclaredIn(release, includes), ...shared });
  return (schema) => {
    const codec = codecs.compile(schema);
    let found: FieldsOfOtherReleases | undefined;
    return {
      codec,
      get declared() {
        return declared.compile(schema);
      },
      forUpdateOf(old) {
        found ??= {
          disabled: DisabledFields.of(schema, names, isDisabled),
          omitted: OmittedFields.of(schema, names, isOmittedLater),
        };
        const { disabled, omitted } = found;
        const omits = omitted?.areMissingIn(old) === true;
        const kept = disabled?.usedBy(old);
        if (disabled === undefined || kept === undefined)
          return { codec: omits ? omitting.compile(schema) : codec };
        const compiler = omits ? keepingAndOmitting : keeping;
        return { codec: compiler.compile(schema), finish: (object) => disabled.prune(object, kept) };
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
