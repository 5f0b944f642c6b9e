import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { BUNDLES_FOLDER } from './bundle-table.ts';

const position = new RegExp(
  `(?:file://)?(/[^\\s:()]*/${BUNDLES_FOLDER}/[^\\s:()]+\\.mjs):(\\d+):(\\d+)`,
  'g',
);

/** A stack trace with positions in sources instead of bundles. */
export const withSourcePositions = (text: string): string => text.replace(position, sourcePosition);

function sourcePosition(found: string, bundle: string, line: string, column: string): string {
  try {
    const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
    const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return found;
    const path = join(dirname(bundle), entry.originalSource);
    return `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  } catch {
    // The position in the bundle is better than none.
    return found;
  }
}
