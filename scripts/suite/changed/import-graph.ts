/**
 * The files that a file uses: the modules that declare the names that it imports, through the entry points that export
 * them; files that it names in literals, such as pages and charts; the sources of built programs that it starts.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf, resolveRelative } from '../../../test/architecture/source-files.ts';
import { entryPoints } from '../entry-points.ts';
import { type Link, type ModuleNames, readNames } from './module-names.ts';

const SOURCES = '{packages,test,scripts,bench,examples,lint}/**/*.ts';
/** The node of everything that a module exports; the path alone is the node of its content. */
const allOf = (path: string): string => `${path}*`;
const literal = /['"`]([\w./ -]+)['"`]/g;

export class ImportGraph {
  readonly #root: string;
  readonly #modules = new Map<string, ModuleNames>();
  readonly #texts = new Map<string, string>();
  readonly #entries: readonly (readonly [specifier: string, path: string])[];
  readonly #programs: readonly string[];
  /** The files that use a file, and nodes of modules that export it. */
  readonly #users = new Map<string, Set<string>>();

  /** The graph of the checkout `root`. */
  constructor(root: string) {
    this.#root = root;
    this.#entries = entryPoints(root);
    this.#programs = existsSync(join(root, 'bin')) ? readdirSync(join(root, 'bin')) : [];
    const exclude = (name: string): boolean => name === 'node_modules' || name === 'dist';
    for (const path of globSync(SOURCES, { cwd: root, exclude })) {
      const text = readFileSync(join(root, path), 'utf8');
      this.#texts.set(path, text);
      this.#modules.set(path, readNames(text));
    }
    for (const path of this.#modules.keys()) this.#connect(path);
  }

  /** The files that use `path`, which is a file or a folder. */
  usersOf(path: string): readonly string[] {
    const found = new Set<string>();
    const nodes = new Set([path]);
    for (const node of nodes) {
      for (const user of this.#users.get(node) ?? []) {
        if (user.endsWith('*')) nodes.add(user);
        else found.add(user);
      }
    }
    return [...found];
  }

  #connect(path: string): void {
    const { imports, forwarded, stars } = this.#names(path);
    for (const link of imports) for (const target of this.#targets(path, link)) this.#use(path, target);
    for (const target of this.#literals(path)) this.#use(path, target);
    this.#use(allOf(path), path);
    const exported = [...forwarded.values(), ...stars.map((specifier) => ({ specifier, name: '*' }))];
    for (const link of exported)
      for (const target of this.#targets(path, link)) this.#use(allOf(path), target);
  }

  #use(user: string, used: string): void {
    this.#users.set(used, (this.#users.get(used) ?? new Set()).add(user));
  }

  #names(path: string): ModuleNames {
    return this.#modules.get(path) ?? { imports: [], forwarded: new Map(), stars: [], declared: new Set() };
  }

  #resolve(path: string, specifier: string): string | undefined {
    if (specifier.startsWith('.')) return resolveRelative({ path }, specifier);
    for (const [entry, target] of this.#entries) {
      if (entry === specifier) return target;
      const [start = '', end] = entry.split('*');
      if (end !== undefined && specifier.startsWith(start)) {
        return target.replace('*', specifier.slice(start.length));
      }
    }
    return undefined;
  }

  /** The module that declares the name, and the entry points on the way to it. */
  #targets(from: string, { specifier, name }: Link): readonly string[] {
    const path = this.#resolve(from, specifier);
    if (path === undefined) return [];
    if (name === '*') return [allOf(path)];
    const { forwarded, declared, stars } = this.#names(path);
    const link = forwarded.get(name);
    if (link !== undefined) return [path, ...this.#targets(path, link)];
    if (declared.has(name)) return [path];
    return [path, ...stars.flatMap((star) => this.#ofStar(path, { specifier: star, name }))];
  }

  /** Nothing if the module behind `export *` does not export the name. */
  #ofStar(from: string, link: Link): readonly string[] {
    const path = this.#resolve(from, link.specifier);
    if (path === undefined) return [];
    const { forwarded, declared, stars } = this.#names(path);
    const known = declared.has(link.name) || forwarded.has(link.name);
    return known || stars.length > 0 ? this.#targets(from, link) : [];
  }

  /** Paths in literals, whole or as parts that are joined: `join(root, 'bin', 'program')`. */
  #literals(path: string): readonly string[] {
    const text = (this.#texts.get(path) ?? '').replace(/['"], ['"]/g, '/');
    const imported = new Set(importsOf({ text }).map(({ specifier }) => specifier));
    const words = [...new Set([...text.matchAll(literal)].map(([, word = '']) => word))].filter(
      (word) => !imported.has(word),
    );
    const starts =
      startsPrograms(path) && /\bbin\b/.test(text)
        ? this.#programs.filter((name) => words.some((word) => ends(word, name)))
        : [];
    const files = words
      .filter((word) => /[/.]/.test(word) && /\w/.test(word))
      .flatMap((word) => [word.replace(/^(\.\.?\/)+/, ''), resolveRelative({ path }, word)])
      .filter((each) => each.includes('/') && !each.startsWith('.') && existsSync(join(this.#root, each)))
      .map((each) => each.replace(/\/$/, ''));
    const mains = starts.map((name) => allOf(`packages/${name}/src/main.ts`));
    return [...files.map((each) => (this.#modules.has(each) ? allOf(each) : each)), ...mains];
  }
}

const ends = (word: string, name: string): boolean => word === name || word.endsWith(`/${name}`);

/** Sources of packages only print the names of programs; tests and their tools start them. */
const startsPrograms = (path: string): boolean =>
  !/^packages\/(?!testkit\/)/.test(path) || /\.test\.ts$|\/testing\//.test(path);
