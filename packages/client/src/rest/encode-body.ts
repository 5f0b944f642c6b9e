import { isJsonObject, jsonInteger, jsonText } from '@orch/machinery/json';
import { child, index, key } from '@orch/machinery/object-meta';
import { bytesOf } from './bytes.ts';

/**
 * The JSON of a body; a bigint is a number with all its digits. Throws a RangeError with the path of the first field that is NaN
 * or an infinity, and a TypeError for an item of an array that is not a JSON value: JSON has `null` for them, which resets a field.
 */
export function encodeBody(body: unknown): Uint8Array {
  const text = encoded(body);
  // Values that became null are looked for only where there is one.
  if (text.includes('null')) refuseLost(body, '');
  return bytesOf(text);
}

function refuseLost(value: unknown, path: string): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`${path}: must be a finite number, not ${value}`);
  } else if (Array.isArray(value))
    value.forEach((item, i) => {
      const at = index(path, i);
      if (item === undefined || typeof item === 'function' || typeof item === 'symbol')
        throw new TypeError(`${at}: must be a JSON value, not ${typeof item}`);
      refuseLost(item, at);
    });
  else if (isJsonObject(value))
    for (const [name, field] of Object.entries(value)) refuseLost(field, fieldOf(path, name));
}

/** `labels[a.b/c]` where the name could be taken for a path. */
const fieldOf = (path: string, name: string): string =>
  /[.[\]/]/.test(name) ? key(path, name) : child(path, name);

/** Bigints are rare, so they are replaced only where the encoder refuses the body. */
function encoded(body: unknown): string {
  try {
    return jsonText(body);
  } catch (error) {
    const replaced = withoutBigints(body);
    if (replaced === body) throw error;
    return jsonText(replaced);
  }
}

function withoutBigints(value: unknown): unknown {
  if (typeof value === 'bigint') return jsonInteger(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (!isJsonObject(value) || typeof value['toJSON'] === 'function') return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutBigints(field)]));
}
