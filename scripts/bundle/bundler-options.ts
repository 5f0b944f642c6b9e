import type { BuildOptions } from 'esbuild';
import type { BuildFacts } from './build-facts.ts';

/** The file of the thread that writes to the embedded store, next to the programs. */
const workerFile = 'embedded-store-worker.mjs';

/** The file of further threads of the API server, beside the programs. */
const threadFile = 'serving-thread.mjs';

/** The file of the thread that parses large bodies of YAML, beside the programs. */
const yamlThreadFile = 'yaml-thread.mjs';

// CommonJS libraries call `require`, which a module has to create.
const banner = `import { createRequire as orchCreateRequire } from 'node:module';
const require = orchCreateRequire(import.meta.url);`;

/** Options for bundling every program. */
export const bundlerOptions = (root: string, facts: BuildFacts) =>
  ({
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    banner: { js: banner },
    define: {
      ORCH_BUILD: JSON.stringify(facts),
      ORCH_WORKER: JSON.stringify(`./${workerFile}`),
      ORCH_THREAD: JSON.stringify(`./${threadFile}`),
      ORCH_YAML_THREAD: JSON.stringify(`./${yamlThreadFile}`),
    },
    logLevel: 'warning',
  }) as const satisfies BuildOptions;
