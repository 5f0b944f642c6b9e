import type { BuildFacts } from '@orch/server';

/** Put in by the bundler; absent when running from source. */
declare const ORCH_BUILD: BuildFacts | undefined;

/** What is known of this build of the program. */
export const buildFacts = (): BuildFacts =>
  typeof ORCH_BUILD === 'undefined' ? { version: '0.0.0-source', commit: '', date: '' } : ORCH_BUILD;
