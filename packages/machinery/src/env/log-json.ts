/** Bounds on what one field may add to a line. */
const MAX_TEXT = 8 * 1024;
const MAX_DEPTH = 6;
const MAX_MEMBERS = 100;

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

function errorFields(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause }),
    ...(error instanceof AggregateError ? { errors: error.errors } : {}),
  };
}

/** A copy that can be encoded as JSON, bounded in depth and breadth. `above` are the objects that contain it. */
function plain(value: unknown, above: readonly object[]): unknown {
  switch (typeof value) {
    case 'string':
      return cut(value);
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'boolean':
      return value;
    case 'bigint':
    case 'symbol':
    case 'function':
      return cut(String(value));
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : plainObject(value, above);
  }
}

function plainObject(value: object, above: readonly object[]): unknown {
  if (above.includes(value)) return '[circular]';
  if (above.length >= MAX_DEPTH) return '[too deep]';
  const inside = [...above, value];
  if (value instanceof Error) return fields(errorFields(value), inside);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return fields(Object.fromEntries(value), inside);
  if (value instanceof Set || Array.isArray(value)) {
    const items = [...value];
    const displayed = items.slice(0, MAX_MEMBERS).map((item) => plain(item, inside));
    return items.length > MAX_MEMBERS ? [...displayed, `[${items.length - MAX_MEMBERS} more]`] : displayed;
  }
  return fields(value as Record<string, unknown>, inside);
}

function fields(value: Record<string, unknown>, inside: readonly object[]): Record<string, unknown> {
  const out: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).slice(0, MAX_MEMBERS)) out[name] = plain(value[name], inside);
  return out;
}

/** JSON of the value of a log field. Never throws: an exception of a getter or proxy becomes the value. */
export function logJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value);
  try {
    return JSON.stringify(plain(value, []));
  } catch (error) {
    return JSON.stringify(`[not loggable: ${error instanceof Error ? error.message : 'unknown'}]`);
  }
}
