import { fieldServedIn, omittedWhereEmpty, type Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import { type CodecCompiler, codecCompiler, type ProtobufCompiler, protobufCompiler } from '@orch/schema';

/**
 * Codecs of all fields, for conversions between versions: fields that the release does not serve are preserved where they
 * are present, and never added.
 */
export function conversionCodecs(
  names: Names,
  release: Release,
  openGates?: ReadonlySet<string>,
): CodecCompiler {
  const includes = fieldServedIn(release, openGates);
  const isOmitted = omittedWhereEmpty(release);
  return codecCompiler(names, { quiet: (field) => !includes(field) || isOmitted(field) });
}

/** Protobuf messages of all fields, for conversions between versions. */
export function conversionMessages(
  names: Names,
  release: Release,
  openGates?: ReadonlySet<string>,
): ProtobufCompiler {
  const includes = fieldServedIn(release, openGates);
  return protobufCompiler(names, { quiet: (field) => !includes(field) });
}
