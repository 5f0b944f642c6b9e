import type { ApiRequest } from '../message/types.ts';
import { queryValue } from './query.ts';

const falseWords: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

/** People at a terminal get readable output without asking for it. */
const readers: readonly string[] = ['curl', 'Wget', 'Mozilla/5.0'];

/** Whether JSON is to be indented: the `pretty` parameter decides, else the program that asks (spec 4.3). */
export function wantsPretty(request: ApiRequest): boolean {
  const value = queryValue(request.rawQuery, 'pretty');
  if (value !== undefined && value !== '') return !falseWords.has(value);
  const agent = request.headers['user-agent'];
  return agent !== undefined && readers.some((reader) => agent.startsWith(reader));
}
