/** One record of a CSV text. `problem` is set for a record that could not be read, which is then the last one. */
export interface CsvRecord {
  /** Line on which the record begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
  readonly problem?: string;
}

const fieldPattern = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads CSV (RFC 4180): fields in double quotes may contain commas, line ends and doubled quotes. Blank lines and lines
 * that begin with `#` are skipped; blanks around fields are ignored.
 */
export function* parseCsv(text: string): Generator<CsvRecord> {
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const skipped = /(?:#[^\n]*|[ \t]*\r?)(?:\n|$)/y;
    skipped.lastIndex = at;
    const blank = skipped.exec(text);
    if (blank !== null && blank[0] !== '') {
      at += blank[0].length;
      line++;
      continue;
    }
    const begins = line;
    const fields: string[] = [];
    let separator = ',';
    while (separator === ',') {
      fieldPattern.lastIndex = at;
      const match = fieldPattern.exec(text);
      if (match === null) {
        yield {
          line: begins,
          fields,
          problem: 'a quoted field is not closed, or a quote is inside an unquoted field',
        };
        return;
      }
      fields.push(match[1] === undefined ? (match[2] ?? '').trim() : match[1].replaceAll('""', '"'));
      separator = match[3] ?? '';
      at += match[0].length;
      for (const character of match[0]) if (character === '\n') line++;
    }
    yield { line: begins, fields };
  }
}
