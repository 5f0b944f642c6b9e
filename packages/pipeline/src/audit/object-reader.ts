import { JsonSyntaxError, parseJson, parseYaml, YamlSyntaxError } from '@orch/machinery';
import type { HeaderList } from '@orch/request';

/** Largest object that an event carries, in bytes as it came: what a store takes, and room for a list. */
export const MAX_AUDITED_BYTES = 4 * 1024 * 1024;

/** Reads a Protobuf body of any kind that the server knows; undefined for one that it does not, or cannot read. */
export type ReadProtobuf = (bytes: Buffer) => unknown;

/** What bytes of a media type say as JSON data; undefined for what is no object, cannot be read, or is too large. */
export function readAudited(bytes: Buffer, contentType: string, readProtobuf: ReadProtobuf): unknown {
  if (bytes.length === 0 || bytes.length > MAX_AUDITED_BYTES) return undefined;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  try {
    if (type === '' || type.endsWith('json')) return parseJson(bytes);
    if (type.endsWith('yaml')) return parseYaml(bytes);
    return type.endsWith('protobuf') ? readProtobuf(bytes) : undefined;
  } catch (error) {
    // The request was refused for it already, or is no concern of ours: what cannot be read is not written down.
    if (error instanceof JsonSyntaxError || error instanceof YamlSyntaxError) return undefined;
    throw error;
  }
}

/** The value of a reply's header. */
export function headerOf(headers: HeaderList, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
