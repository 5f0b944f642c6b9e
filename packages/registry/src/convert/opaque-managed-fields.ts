import type { ApiObject } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { isJsonObject, parseJson, parseJsonInPieces } from '@orch/machinery/json';
import { RawJson } from '@orch/schema';
import {
  CLOSE_BRACE,
  metadataStart,
  OPEN_BRACE,
  objectEnd,
  QUOTE,
  type Span,
  stringEnd,
} from '../json/json-slices.ts';

const MANAGED_FIELDS = Buffer.from('"managedFields":[');
const FIELDS = Buffer.from('"fieldsV1":{');
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/** Nesting of the fields of an entry: metadata, list, entry. */
const ENTRY_DEPTH = 3;
/** Replaces a field set while the rest is parsed: no field set is a number. */
const PLACEHOLDER = 1;

/**
 * Parses an object in canonical JSON for encoding in Protobuf. Its managed field sets, half of many objects, are JSON in
 * Protobuf as well: they remain unparsed, as opaque bytes.
 */
export function withOpaqueManagedFields(json: Buffer): ApiObject {
  const sets = fieldSets(json);
  if (sets.length === 0) return asObject(parseJson(json));
  return asObject(filledIn(parseJson(withPlaceholders(json, sets)), json, sets) ?? parseJson(json));
}

/** Like `withOpaqueManagedFields`, in pieces. */
export function* withOpaqueManagedFieldsInPieces(json: Buffer): Work<ApiObject> {
  const sets = fieldSets(json);
  yield;
  if (sets.length === 0) return asObject(yield* parseJsonInPieces(json));
  const rest = yield* parseJsonInPieces(withPlaceholders(json, sets));
  return asObject(filledIn(rest, json, sets) ?? (yield* parseJsonInPieces(json)));
}

function asObject(value: unknown): ApiObject {
  if (!isJsonObject(value)) throw new TypeError('the value is not a JSON object');
  return value as unknown as ApiObject;
}

/**
 * Finds the managed field sets in one pass over the metadata. A quoted name is a field name, because quotes within strings
 * are escaped.
 */
function fieldSets(json: Buffer): readonly Span[] {
  const sets: Span[] = [];
  if (json.indexOf(MANAGED_FIELDS) === -1) return sets;
  let depth = 0;
  for (let at = metadataStart(json); at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) {
      if (depth === ENTRY_DEPTH && startsAt(json, at, FIELDS)) {
        const start = at + FIELDS.length - 1;
        const end = objectEnd(json, start);
        sets.push({ start, end });
        at = end - 1;
      } else at = stringEnd(json, at);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) break;
  }
  return sets;
}

function startsAt(json: Buffer, at: number, text: Buffer): boolean {
  for (let i = 0; i < text.length; i++) if (json[at + i] !== text[i]) return false;
  return true;
}

/** The object in which a number is in the place of each field set. */
function withPlaceholders(json: Buffer, sets: readonly Span[]): Buffer {
  const pieces: Buffer[] = [];
  const placeholder = Buffer.from(String(PLACEHOLDER));
  let from = 0;
  for (const { start, end } of sets) {
    pieces.push(json.subarray(from, start), placeholder);
    from = end;
  }
  pieces.push(json.subarray(from));
  return Buffer.concat(pieces);
}

/** Puts the bytes of the field sets in their places; undefined when the entries do not match them. */
function filledIn(rest: unknown, json: Buffer, sets: readonly Span[]): unknown {
  const object = rest as ApiObject;
  const entries = (object.metadata.managedFields ?? []).filter(isEntry);
  if (entries.length !== sets.length) return undefined;
  for (const [i, { start, end }] of sets.entries()) {
    const entry = entries[i];
    if (entry !== undefined) entry.fieldsV1 = new RawJson(json.subarray(start, end));
  }
  return object;
}

const isEntry = (entry: unknown): entry is { fieldsV1: unknown } =>
  isJsonObject(entry) && entry['fieldsV1'] === PLACEHOLDER;
