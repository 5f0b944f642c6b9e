import {
  builtinTypes,
  NEWEST_RELEASE,
  OLDEST_RELEASE,
  type Release,
  type ServedType,
  typesAt,
} from '@orch/apis';
import { namesFor } from '@orch/machinery';
import { conversionCodecs, conversionMessages } from '../convert/conversion-codecs.ts';
import { StorageCodec, type StoredEncoding } from '../convert/storage-codec.ts';

const names = namesFor('orch');
const releases = [
  OLDEST_RELEASE,
  '1.17',
  '1.19',
  '1.21',
  '1.22',
  '1.24',
  '1.25',
  '1.27',
  '1.30',
  '1.33',
  NEWEST_RELEASE,
];

export interface StoredRow {
  readonly row: ServedType;
  readonly release: Release;
}

/** Every row in every version in which some release stores it. */
export function storedRows(): ReadonlyMap<string, StoredRow> {
  const rows = new Map<string, StoredRow>();
  for (const release of releases) {
    for (const row of typesAt(release, builtinTypes, () => true)) {
      if (row.virtual === true) continue;
      const { group = row.group, version } = row.stored;
      rows.set(`${row.kind} as ${names.apiVersion(group, version)}`, { row, release });
    }
  }
  return rows;
}

/** Both stored forms of a row in a release. */
export function formsOf({ row, release }: StoredRow) {
  const codecs = conversionCodecs(names, release);
  const messages = conversionMessages(names, release);
  const form = (encoding: StoredEncoding): StorageCodec =>
    new StorageCodec(row, { names, codecs, messages, encoding });
  return { json: form('json'), protobuf: form('protobuf'), codecs };
}
