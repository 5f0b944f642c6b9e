import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/** Kept between runs: dozens of test files call the same programs, and a call takes as long as many a test. */
const kept = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'kubectl-versions.json');

type Versions = Readonly<Record<string, string>>;

function readKept(file: string): Versions {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Versions;
  } catch {
    return {};
  }
}

/** Another process may read or replace the file at the same time: each finds a complete one. */
function keep(file: string, versions: Versions): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(versions));
  renameSync(fresh, file);
}

/** Another file at the path has another size or time. */
function keyOf(path: string): string {
  const { size, mtimeMs } = statSync(path);
  return `${path} ${size} ${mtimeMs}`;
}

/** The version that a kubectl reports, such as `v1.20.2`; empty when it reports none. A program is called once. */
export async function kubectlVersion(path: string, file = kept): Promise<string> {
  const key = keyOf(path);
  const known = readKept(file)[key];
  if (known !== undefined) return known;

  const { stdout } = await run(path, ['version', '--client', '-o', 'json']);
  const version = /"gitVersion":\s*"([^"]*)"/.exec(stdout)?.[1] ?? '';
  if (version !== '') keep(file, { ...readKept(file), [key]: version });
  return version;
}
