import type { Plugin } from 'esbuild';
import type { BuiltConsole } from '../console/build-console.ts';

/** Replaces the module that reads the files of the console by one that contains them, so that the program is one file. */
export const consoleFiles = ({ files }: Pick<BuiltConsole, 'files'>): Plugin => ({
  name: 'console-files',
  setup(build) {
    build.onLoad({ filter: /\/console\/src\/files\/page-files\.ts$/ }, () => ({
      contents: `export const readPageFiles = () => ${JSON.stringify(files)};`,
      loader: 'js',
    }));
  },
});
