import type { OutboundRequest } from '../message/request.ts';

/** Names and values in turn: a map of them would be copied, and kept as long as the stream. */
export function outgoingFields({ method, target, headers, bodyLength }: OutboundRequest): readonly string[] {
  const authority = String(headers['host'] ?? '');
  const fields = [':method', method, ':path', target, ':scheme', 'https', ':authority', authority];
  for (const name in headers) {
    if (name === 'host' || name === 'connection') continue;
    const value = headers[name] ?? '';
    if (typeof value === 'string') fields.push(name, value);
    else for (const one of value) fields.push(name, one);
  }
  if (bodyLength !== undefined && bodyLength > 0) fields.push('content-length', String(bodyLength));
  return fields;
}

/** Whether a version of Node sends such a list: from 22.17 and 24.2 on. */
export function takesFieldList(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 2) || (major === 22 && minor >= 17);
}

/** The same fields by name, for other versions. */
export function fieldMap(fields: readonly string[]): Record<string, string | string[]> {
  const map: Record<string, string | string[]> = Object.create(null);
  for (let i = 0; i < fields.length; i += 2) {
    const [name = '', value = ''] = fields.slice(i, i + 2);
    const others = map[name];
    if (others === undefined) map[name] = value;
    else if (typeof others === 'string') map[name] = [others, value];
    else others.push(value);
  }
  return map;
}
