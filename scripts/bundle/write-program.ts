import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_FILE, type ProgramFiles, type SectionedProgram } from './sections.ts';
import { recordedCommands } from './training.ts';

/** The name of the start of the program. */
const START_FILE = 'orchctl-start.cjs';

/**
 * Writes the files of a program into a folder. Short commands are run with it: their sections become two groups, those of
 * every command and those of a request, and the compiled code of these has the functions that the commands call. If a command fails,
 * there are no groups, and the compiled code has all functions.
 */
export async function writeProgram(program: SectionedProgram, folder: string): Promise<void> {
  const write = ({ text, start }: ProgramFiles): void => {
    writeFileSync(join(folder, PROGRAM_FILE), text);
    writeFileSync(join(folder, START_FILE), start);
  };
  const plain = await program.files([]);
  write(plain);
  let files = plain;
  let trained: ReadonlyMap<string, Uint8Array> = new Map();
  try {
    const { local, remote } = await recordedCommands(join(folder, START_FILE));
    const [both, others] = [true, false].map((is) =>
      [...remote.keys()].filter((name) => local.has(name) === is),
    );
    const grouped = await program.files([both ?? [], others ?? []]);
    write(grouped);
    const recorded = await recordedCommands(join(folder, START_FILE));
    trained = new Map([...recorded.local, ...recorded.remote]);
    files = grouped;
  } catch (error) {
    console.warn(`the compiled code has all functions: ${String(error)}`);
    write(plain);
  }
  writeFileSync(join(folder, files.cacheName), files.cache(trained));
}
