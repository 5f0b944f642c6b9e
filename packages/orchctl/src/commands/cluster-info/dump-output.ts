import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CommandError } from '../../command-error.ts';
import type { Io, TextOutput } from '../../io.ts';

/** Destination of the parts of a dump. */
export interface DumpOutput {
  /** The output for one part, such as `default/pods.json`; `write` ends before the next part begins. */
  part(path: readonly string[], write: (out: TextOutput) => Promise<void> | void): Promise<void>;
}

/** Writes all parts one after the other to standard output. */
export const standardOutput = ({ out }: Pick<Io, 'out'>): DumpOutput => ({
  async part(_path, write) {
    await write(out);
  },
});

/**
 * Writes each part to a file below a folder, which only the user can read: environment variables of containers may hold
 * credentials. Rejects with a `CommandError` for a name from the server that would lead elsewhere.
 */
export const folderOutput = (folder: string): DumpOutput => ({
  async part(path, write) {
    const file = resolve(folder, join(...path.map(fileName)));
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, 'w', 0o600);
    try {
      await write(fileOutput(descriptor));
    } finally {
      closeSync(descriptor);
    }
  },
});

function fileName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
    throw new CommandError(`the server sent a name that cannot be that of a file: ${JSON.stringify(name)}`);
  return name;
}

const fileOutput = (descriptor: number): TextOutput => ({
  columns: undefined,
  write(text) {
    const data = typeof text === 'string' ? Buffer.from(text) : text;
    for (let at = 0; at < data.length; ) at += writeSync(descriptor, data, at);
  },
  drained: () => Promise.resolve(),
});
