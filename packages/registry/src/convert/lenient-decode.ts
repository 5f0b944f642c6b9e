import { type ApiObject, isJsonObject, type JsonObject } from '@orch/machinery';
import type { Codec } from '@orch/schema';

const isMistyped = (codec: Codec, object: JsonObject): boolean =>
  codec.decode(object).problems.some(({ kind }) => kind === 'type');

/** The fields of metadata, each of which is decoded separately. */
function readableMetadata(codec: Codec, { metadata, ...rest }: JsonObject): JsonObject {
  if (!isJsonObject(metadata)) return rest;
  const fields = Object.entries(metadata).filter(
    ([name, value]) => !isMistyped(codec, { metadata: { [name]: value } }),
  );
  return { ...rest, metadata: Object.fromEntries(fields) };
}

/**
 * Reads a stored object, with defaults. Fields of its metadata that have a wrong type are left out: another server, or a
 * definition without types, may have stored them, and neither lists nor deletions may fail because of them.
 */
export function decodeLeniently(codec: Codec, object: ApiObject): ApiObject {
  const { problems, value } = codec.decode(object, { defaults: true });
  if (!problems.some(({ field, kind }) => kind === 'type' && field.startsWith('metadata'))) return value;
  return codec.decode(readableMetadata(codec, { ...object }), { defaults: true }).value;
}
