import { CborError, readCbor } from '@orch/machinery/cbor';
import { JsonSyntaxError, parseJson } from '@orch/machinery/json';
import { parseYaml, YamlSyntaxError } from '@orch/machinery/yaml';
import type { HeaderList } from '@orch/request';

/** Maximum size of an object in an event, in bytes as received: the limit of stores, with room for a list. */
export const MAX_AUDITED_BYTES = 4 * 1024 * 1024;

/** Decodes a Protobuf body of a served kind; undefined for other kinds and malformed bodies. */
export type ReadProtobuf = (bytes: Buffer) => unknown;

/** Decodes a body to JSON data; undefined if it is not an object, malformed, or too large. */
export function readAudited(bytes: Buffer, contentType: string, readProtobuf: ReadProtobuf): unknown {
  if (bytes.length === 0 || bytes.length > MAX_AUDITED_BYTES) return undefined;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  try {
    if (type === '' || type.endsWith('json')) return parseJson(bytes);
    if (type.endsWith('yaml')) return parseYaml(bytes);
    if (type.endsWith('cbor')) return readCbor(bytes);
    return type.endsWith('protobuf') ? readProtobuf(bytes) : undefined;
  } catch (error) {
    // Malformed bodies are not recorded.
    if (isSyntaxError(error)) return undefined;
    throw error;
  }
}

const isSyntaxError = (error: unknown): boolean =>
  error instanceof JsonSyntaxError || error instanceof YamlSyntaxError || error instanceof CborError;

/** The value of a header field of a reply. */
export function headerOf(headers: HeaderList, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
