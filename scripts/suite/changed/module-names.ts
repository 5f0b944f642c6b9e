import { type Import, importsOf } from '../../../test/architecture/source-files.ts';

/** A name of another module, or all of its names: `*`. */
export interface Link {
  readonly specifier: string;
  readonly name: string;
}

/** The imports and exports of a module as the program sees them: types are not there at run time. */
export interface ModuleNames {
  readonly imports: readonly Link[];
  /** Exported names that another module declares. */
  readonly forwarded: ReadonlyMap<string, Link>;
  /** The specifiers of `export *`. */
  readonly stars: readonly string[];
  /** Exported names that this module declares. */
  readonly declared: ReadonlySet<string>;
}

interface Name {
  readonly name: string;
  readonly as: string;
}

const declaration =
  /^export\s+(?:default\s+)?(?:async\s+)?(?:abstract\s+)?(?:const|let|class|function\*?|enum)\s+(\w+)/gm;
const list = /^export\s*\{([^}]*)\}\s*;/gm;

/** `{ a, b as c, type d }` has the names a and b. */
const namesIn = (braces: string): readonly Name[] =>
  braces
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => {
      const [name = '', as = name] = part.split(/\s+as\s+/);
      return { name, as };
    });

/** `d, { a }` has the names default and a; `* as x` and statements without a clause have all: `*`. */
function namesOf({ clause }: Import): readonly Name[] {
  const all = { name: '*', as: '*' };
  if (clause === undefined || clause.includes('*')) return [all];
  const [, braces] = /\{([^}]*)\}/.exec(clause) ?? [];
  const first = /^\w+/.test(clause.trim()) ? [{ name: 'default', as: 'default' }] : [];
  return [...first, ...namesIn(braces ?? '')];
}

export function readNames(text: string): ModuleNames {
  const imports: Link[] = [];
  const forwarded = new Map<string, Link>();
  const stars: string[] = [];
  for (const each of importsOf({ text })) {
    if (each.typeOnly) continue;
    const { specifier } = each;
    if (each.exported && each.clause === '*') stars.push(specifier);
    for (const { name, as } of namesOf(each)) {
      if (!each.exported) imports.push({ specifier, name });
      else if (as !== '*') forwarded.set(as, { specifier, name });
    }
  }
  const declared = new Set([...text.matchAll(declaration)].map(([, name = '']) => name));
  for (const [, braces = ''] of text.matchAll(list)) for (const { as } of namesIn(braces)) declared.add(as);
  return { imports, forwarded, stars, declared };
}
