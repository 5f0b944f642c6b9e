/**
 * Lines that test processes write to their standard error for the reporter, which removes them from what tests wrote. Results of
 * tests are lost when their process is killed; these are not.
 */
import { writeSync } from 'node:fs';

const STDERR = 2;
const lines = /^test-(file|cpu|process): (.*)\n/gm;

/** The content of the lines of a process. */
export interface ProcessLines {
  /** Files whose tests start. */
  readonly files: readonly string[];
  /** CPU time of the process and of the programs that it ran, once it has ended. */
  readonly cpuSeconds: number | undefined;
  /** The identifier of the process, at its start. */
  readonly pid: number | undefined;
  /** The other output. */
  readonly rest: string;
}

export const writeStart = (file: string): unknown => writeSync(STDERR, `test-file: ${file}\n`);

export const writeCpu = (seconds: number): unknown => writeSync(STDERR, `test-cpu: ${seconds.toFixed(2)}\n`);

export const writeProcess = (pid: number): unknown => writeSync(STDERR, `test-process: ${pid}\n`);

export function readLines(written: string): ProcessLines {
  const found = [...written.matchAll(lines)].map(([, name, value = '']) => ({ name, value }));
  const numberOf = (line: string): number | undefined => {
    const value = found.find(({ name }) => name === line)?.value;
    return value === undefined ? undefined : Number(value);
  };
  return {
    files: found.flatMap(({ name, value }) => (name === 'file' ? [value] : [])),
    cpuSeconds: numberOf('cpu'),
    pid: numberOf('process'),
    rest: written.replace(lines, ''),
  };
}
