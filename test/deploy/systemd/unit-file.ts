/** The settings of a section [Service]; those that are given several times have several values. */
export type ServiceSettings = ReadonlyMap<string, readonly string[]>;

/** Joins a unit with its drop-ins, in their order. An empty value removes earlier ones. */
export function parseService(texts: readonly string[]): ServiceSettings {
  const settings = new Map<string, string[]>();
  for (const text of texts)
    for (const [key, value] of settingsOf(text)) {
      if (value === '') settings.delete(key);
      else settings.set(key, [...(settings.get(key) ?? []), value]);
    }
  return settings;
}

function* settingsOf(text: string): Generator<readonly [key: string, value: string]> {
  let section = '';
  for (const line of text.split('\n')) {
    if (line.startsWith('[')) section = line;
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (section === '[Service]' && key !== undefined && value !== undefined) yield [key, value];
  }
}

/** Replaces `%p` and `%H`. */
export function withSpecifiers(text: string, unit: string): string {
  return text.replaceAll('%p', unit.replace(/\.service$/, '')).replaceAll('%H', 'machine');
}

/** `A=b "C=d e"` as variables. */
export function variablesOf(text: string): Readonly<Record<string, string>> {
  const words = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return Object.fromEntries(
    words.map((word) => [word.split('=')[0] ?? '', word.slice(word.indexOf('=') + 1)]),
  );
}

/** A file with one variable a line. */
export function environmentFile(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
}

/** The words of a command: `${NAME}` is replaced within a word, a word `$NAME` becomes the words of its value. */
export function wordsOf(command: string, variables: Readonly<Record<string, string>>): readonly string[] {
  return command.split(/\s+/).flatMap((word) => {
    const [, name] = /^\$(\w+)$/.exec(word) ?? [];
    if (name !== undefined) return (variables[name] ?? '').split(/\s+/).filter((each) => each !== '');
    return [word.replace(/\$\{(\w+)\}/g, (_, each: string) => variables[each] ?? '')];
  });
}
