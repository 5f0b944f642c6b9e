import { Environment } from './check/environment.ts';
import type { Library } from './functions/overload.ts';
import { librariesOf } from './library/releases.ts';

/**
 * The environment of a release of the API (`1.31`), without variables. Build it once and extend it. `additional`
 * libraries are for functions that only some expressions have, such as those that call an authorizer.
 */
export const environmentOf = (release: string, additional: readonly Library[] = []): Environment =>
  new Environment({ libraries: [...librariesOf(release), ...additional], homogeneousLiterals: true });
