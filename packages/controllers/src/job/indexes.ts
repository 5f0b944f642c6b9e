/** The numbers of a text such as `1,3-5`, below `count`; parts that are no numbers are ignored. */
export function parseIndexes(text: string | undefined, count: number): Set<number> {
  const found = new Set<number>();
  for (const part of (text ?? '').split(',')) {
    const range = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
    if (range === null) continue;
    const first = Number(range[1]);
    const last = Math.min(Number(range[2] ?? range[1]), count - 1);
    for (let index = first; index <= last; index++) found.add(index);
  }
  return found;
}

/** The text of numbers: three or more that follow each other are a range. */
export function formatIndexes(indexes: Iterable<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at] ?? 0;
    let last = first;
    while (sorted[at + 1] === last + 1) {
      last++;
      at++;
    }
    at++;
    parts.push(first === last ? String(first) : last === first + 1 ? `${first},${last}` : `${first}-${last}`);
  }
  return parts.join(',');
}
