/** The query of a target, without the question mark; empty when there is none. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}
