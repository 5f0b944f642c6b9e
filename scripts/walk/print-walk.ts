import type { Walk } from './call-coverage.ts';

/** The package of a file, with the first folder below its sources. */
const folderOf = (file: string): string =>
  file
    .replace(/^packages\//, '')
    .replace(/\/src\//, '/')
    .split('/')
    .slice(0, 2)
    .join('/')
    .replace(/\/[^/]+\.ts$/, '');

const directoryOf = (file: string): string => file.slice(0, file.lastIndexOf('/'));
const packageOf = (file: string): string => file.split('/')[1] ?? '';

const countBy = (files: readonly string[], keyOf: (file: string) => string): readonly [string, number][] =>
  [...Map.groupBy(files, keyOf)].map(([key, all]) => [key, all.length]);

/** Prints the number of files in each folder. */
export function printFolders(title: string, walk: Walk): void {
  const folders = countBy([...walk.keys()].sort(), folderOf);
  console.log(`${title}: ${walk.size} files, ${folders.length} folders`);
  for (const [folder, count] of folders) console.log(`  ${String(count).padStart(3)} ${folder}`);
}

export const tableHeader = [
  '| walk | files | folders | functions | files by package |',
  '| --- | --- | --- | --- | --- |',
] as const;

/** A row of the table of walks. */
export function tableRow(title: string, walk: Walk): string {
  const files = [...walk.keys()];
  const functions = [...walk.values()].reduce((sum, { size }) => sum + size, 0);
  const packages = countBy(files, packageOf)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  const folders = new Set(files.map(directoryOf)).size;
  return `| ${title} | ${files.length} | ${folders} | ${functions} | ${packages} |`;
}

/** Prints the files with their functions. */
export function printFiles(title: string, walk: Walk): void {
  console.log(`${title}:`);
  for (const [file, functions] of [...walk].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const names = [...functions].map((name) => name.replace(/@.*/, '') || '(anonymous)');
    console.log(`  ${file}: ${names.join(', ')}`);
  }
  console.log();
}
