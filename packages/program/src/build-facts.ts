/** The facts about a build. Unknown ones are empty strings. */
export interface BuildFacts {
  /** Version of the project: `0.1.0`. */
  readonly version: string;
  readonly commit: string;
  /** RFC 3339 UTC. */
  readonly date: string;
}

/** Set by the bundler; absent when running from source. */
declare const ORCH_BUILD: BuildFacts | undefined;

/** The facts about this build of the program. */
export const buildFacts = (): BuildFacts =>
  typeof ORCH_BUILD === 'undefined' ? { version: '0.0.0-source', commit: '', date: '' } : ORCH_BUILD;
