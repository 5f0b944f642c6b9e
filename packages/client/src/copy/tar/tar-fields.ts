import { type LongHeaders, TarError } from './tar-header.ts';

/** Names and sizes that stand outside of the header block of a member. */
export function parseLongHeaders(kind: 'pax' | 'name' | 'link' | 'ignored', data: Buffer): LongHeaders {
  const text = data.toString('utf8');
  switch (kind) {
    case 'ignored':
      return {};
    case 'name':
      return { name: text.replace(/\0.*$/s, '') };
    case 'link':
      return { linkName: text.replace(/\0.*$/s, '') };
    case 'pax':
      return paxHeaders(data);
  }
}

/** Records `LENGTH KEY=VALUE\n`. */
function paxHeaders(data: Buffer): LongHeaders {
  const values = new Map<string, string>();
  for (let at = 0; at < data.length; ) {
    const [, digits = ''] = /^(\d{1,6}) /.exec(data.toString('latin1', at, at + 7)) ?? [];
    const length = Number(digits);
    if (length <= digits.length + 2 || at + length > data.length) throw new TarError('an invalid pax record');
    const record = data.toString('utf8', at + digits.length + 1, at + length - 1);
    const equals = record.indexOf('=');
    values.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  const [name, linkName, size] = [values.get('path'), values.get('linkpath'), values.get('size')];
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw new TarError('an invalid size in a pax record');
  return {
    ...(name !== undefined && { name }),
    ...(linkName !== undefined && { linkName }),
    ...(size !== undefined && { size: Number(size) }),
  };
}
