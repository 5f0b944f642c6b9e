import type { ApiRequest } from '../message/types.ts';
import { queryValue } from './query.ts';

const FALSE_VALUES: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

/** User agents of interactive clients, which get indented JSON by default. */
const readers: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];

/** Reports whether JSON is indented: by the parameter `pretty`, else by the user agent (spec 4.3). */
export function wantsPretty(request: ApiRequest): boolean {
  const value = queryValue(request.rawQuery, 'pretty');
  if (value !== undefined && value !== '') return !FALSE_VALUES.has(value);
  const agent = request.headers['user-agent'];
  return agent !== undefined && readers.some((reader) => agent.startsWith(reader));
}
