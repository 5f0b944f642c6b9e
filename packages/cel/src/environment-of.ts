import { Environment } from './check/environment.ts';
import { librariesOf } from './library/releases.ts';

/** The environment of a release of the API (`1.31`), without variables. Build it once and extend it. */
export const environmentOf = (release: string): Environment =>
  new Environment({ libraries: librariesOf(release), homogeneousLiterals: true });
