import type { OpenPluginFile } from '../configuration/plugin-files.ts';

/** Opens files with the given texts, by path; they do not change. */
export const pluginFilesOf = (texts: Readonly<Record<string, string>>): OpenPluginFile => {
  const readFile = (path: string): string => {
    const text = texts[path];
    if (text === undefined) throw new Error(`no such file: ${path}`);
    return text;
  };
  return ({ path, read }) => ({ current: read(readFile(path), readFile) });
};
