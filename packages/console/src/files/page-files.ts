import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the console, compressed with gzip, in base64. */
export interface PageFile {
  /** The path below the address of the page: `index.html`. */
  readonly path: string;
  readonly type: string;
  readonly gzip: string;
}

/** The built files of the console. Programs are built with another module in place of this one, which contains the files. */
export const readPageFiles = (): readonly PageFile[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../dist/console.json'), 'utf8'));
