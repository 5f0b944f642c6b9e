const acronyms: ReadonlySet<string> = new Set(['API', 'URL', 'UID', 'OSB', 'GUID']);

/** The title of a field: `creationTimestamp` is `Creation Timestamp`. Names with other characters than letters are kept. */
export function fieldTitle(name: string): string {
  if (!/^[\p{L}-]*$/u.test(name)) return name;
  return wordsOf(name)
    .map((word) => {
      const upper = word.toUpperCase();
      return acronyms.has(upper) ? upper : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join(' ');
}

/** Words begin at a capital letter behind a small one; the last of several capital letters begins the next word, except in `URLs`. */
const wordsOf = (name: string): readonly string[] =>
  name.match(/URLs(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}]+/gu) ?? [];
