import { readFile } from 'node:fs/promises';
import type { Content } from '@orch/controllers';

/** What a file of a flag holds, as it is at the moment of reading. */
export const fileContent = (flag: string, path: string): Content => ({
  origin: `--${flag} ${path}`,
  read: () => readFile(path, 'utf8'),
});

/** A text that this process has. */
export const fixedContent = (origin: string, text: string): Content => ({
  origin,
  read: async () => text,
});
