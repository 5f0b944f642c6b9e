/**
 * What does not follow a rule of the architecture tests yet. The lists are meant to become empty: an entry is removed when
 * the rule is followed, and none is added. Exemptions from lint rules are `overrides` in biome.json.
 */

/** Packages, and `bench`, whose module-level numeric constants are not all in upper case. */
export const NUMERIC_CONSTANTS: readonly string[] = [];

/** Folders whose parts import each other in a circle. */
export const FOLDER_CYCLES: readonly string[] = [];

/** Packages in which files import a module of an indexed folder instead of its index. */
export const IMPORTS_PAST_INDEX: readonly string[] = [];

/** Packages and top folders whose comments, pages, titles and messages contain phrases of terminology/phrases.ts. */
export const NONSTANDARD_TERMS: readonly string[] = [];

/** Files outside packages that import a module of a package by its path. */
export const RELATIVE_PACKAGE_IMPORTS: readonly string[] = [];

/** Packages with test titles of fewer than four words, or suite titles of one word. */
export const SHORT_TITLES: readonly string[] = [];
