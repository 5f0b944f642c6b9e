/** A declaration at the top level of a source, with its comment. */
export interface Declaration {
  readonly name: string;
  readonly text: string;
}

const start = /^(?:\/\*\*|(?:export )?(?:const|function|interface|type) )/;
const named = /^(?:export )?(?:const|function|interface|type) (\w+)/m;

/** The declarations of a source without imports. Each begins at the start of a line. */
export function declarationsIn(source: string): readonly Declaration[] {
  const parts: string[] = [];
  let isAfterComment = false;
  for (const line of source.split('\n')) {
    const isStart = start.test(line);
    if (isStart && !isAfterComment) parts.push('');
    isAfterComment = line.startsWith('/**') || (isAfterComment && line.startsWith(' '));
    if (parts.length > 0) parts[parts.length - 1] += `${line}\n`;
  }
  return parts.map((part) => ({ name: named.exec(part)?.[1] ?? '', text: `${part.trimEnd()}\n` }));
}

/** The declarations with these names and all that they use, in the order of the source. */
export function withUsed(all: readonly Declaration[], names: readonly string[]): readonly Declaration[] {
  const byName = new Map(all.map((one) => [one.name, one]));
  const needed = new Set(names);
  for (const name of needed)
    for (const word of byName.get(name)?.text.match(/\w+/g) ?? []) if (byName.has(word)) needed.add(word);
  return all.filter(({ name }) => needed.has(name));
}
