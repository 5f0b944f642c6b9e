import http from 'node:http';
import type { Plugin } from 'esbuild';

/**
 * Names that programs import from `node:http`. An import of the module as an ES module reads all of its properties, and those of web
 * sockets load the client for `fetch`, which takes a twentieth of a start.
 */
const names = Object.entries(Object.getOwnPropertyDescriptors(http))
  .filter(([, { get }]) => get === undefined)
  .map(([name]) => name);

/** Replaces imports of `node:http` by the module as `require` returns it. */
export const httpModule: Plugin = {
  name: 'http-module',
  setup(build) {
    build.onResolve({ filter: /^node:http$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'http-module', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'http-module' }, () => ({
      contents: `const http = process.getBuiltinModule('node:http');
        export default http;
        export const { ${names.join(', ')} } = http;`,
    }));
  },
};
