import { scaleTable } from '@orch/apis';
import type { Clock, Names } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import type { ProtobufKind } from '@orch/request';
import type { VersionConverter } from '../convert/version-converter.ts';
import { ResourceEncodings } from './encodings.ts';
import type { SharedProtobuf } from './protobuf-encodings.ts';

export interface ScaleEncodingsOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly turns: Turns;
  readonly sharedProtobuf: SharedProtobuf;
  readonly protobufOf: (group: string, version: string, kind: string) => ProtobufKind;
}

/** Encodings of Scale by group and version, made when they are first needed. */
export function scaleEncodings(
  options: ScaleEncodingsOptions,
): (group: string, version: string) => ResourceEncodings {
  const { names, clock, turns, sharedProtobuf, protobufOf } = options;
  const made = new Map<string, ResourceEncodings>();
  return (group, version) => {
    const apiVersion = names.apiVersion(group, version);
    const known = made.get(apiVersion);
    if (known !== undefined) return known;
    const encodings = new ResourceEncodings({
      type: { kind: 'Scale', table: scaleTable },
      converter: unconverted(apiVersion, `${group}/${version}`),
      names,
      clock,
      turns,
      protobuf: protobufOf(group, version, 'Scale'),
      sharedProtobuf,
      hasOwnTable: false,
    });
    made.set(apiVersion, encodings);
    return encodings;
  };
}

/** A Scale is made in the version that is served. */
const unconverted = (apiVersion: string, canonicalVersion: string): VersionConverter => ({
  apiVersion,
  canonicalVersion,
  differs: false,
  encoder: undefined,
  toHub: (object) => object,
  fromHub: (object) => object,
  convertJson: (json) => json,
});
