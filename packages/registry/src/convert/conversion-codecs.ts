import { fieldServedIn, type Release } from '@orch/apis';
import type { Names } from '@orch/machinery';
import { type CodecCompiler, codecCompiler, type ProtobufCompiler, protobufCompiler } from '@orch/schema';

/**
 * What conversions between versions go through: codecs of all members, so that none is lost. Those that the release
 * does not serve stay in objects that have them; no conversion makes them.
 */
export function conversionCodecs(
  names: Names,
  release: Release,
  openGates?: ReadonlySet<string>,
): CodecCompiler {
  const includes = fieldServedIn(release, openGates);
  return codecCompiler(names, { quiet: (field) => !includes(field) });
}

/** The messages of all members, for the same reason: those that the release does not serve are written where they are. */
export function conversionMessages(
  names: Names,
  release: Release,
  openGates?: ReadonlySet<string>,
): ProtobufCompiler {
  const includes = fieldServedIn(release, openGates);
  return protobufCompiler(names, { quiet: (field) => !includes(field) });
}
