import type { Library } from '../functions/overload.ts';
import { twoVariableMacros } from '../syntax/macros.ts';
import { extendedLists } from './extended-lists.ts';
import { lists } from './lists.ts';
import { namedFormats } from './named-formats.ts';
import { network } from './network.ts';
import { optionals } from './optionals.ts';
import { quantities } from './quantity.ts';
import { regex } from './regex.ts';
import { semanticVersions } from './semver.ts';
import { sets } from './sets.ts';
import { mixedNumbers, standardLibrary } from './standard/standard.ts';
import { stringFormatting, strings } from './strings.ts';
import { urls } from './urls.ts';

const twoVariables: Library = { name: 'two variables', functions: {}, macros: twoVariableMacros };

/** Libraries by the minor release of the API (of 1.x) that has them first. */
const introduced: readonly (readonly [minor: number, library: () => Library])[] = [
  [0, standardLibrary],
  [0, () => strings],
  [0, () => lists],
  [0, regex],
  [0, () => urls],
  [28, () => mixedNumbers],
  [28, () => optionals],
  [28, () => quantities],
  [29, () => stringFormatting],
  [29, () => sets],
  [30, () => network],
  [31, () => namedFormats],
  [32, () => twoVariables],
  [33, () => semanticVersions],
  [34, () => extendedLists],
];

/** The libraries that expressions of a release (`1.31`) may use. */
export function librariesOf(release: string): readonly Library[] {
  const minor = Number(release.split('.')[1]);
  return introduced.filter(([first]) => first <= minor).map(([, library]) => library());
}
