import type { Names } from '@orch/machinery';

const REFERENCE = '#/definitions/';
const references = /"#\/definitions\/([^"]+)"/g;

interface Definition {
  readonly properties?: { readonly metadata?: { readonly $ref?: string } };
  readonly [extension: string]: unknown;
}

interface Document {
  readonly definitions: Readonly<Record<string, Definition>>;
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The definitions of kinds with metadata in an OpenAPI document. A title is a group, a version and a kind. */
export class KindDefinitions {
  readonly #definitions: Document['definitions'];
  /** Names of definitions by title. */
  readonly #byTitle = new Map<string, string>();

  constructor({ definitions }: Document, names: Names) {
    this.#definitions = definitions;
    for (const [name, definition] of Object.entries(definitions)) {
      if (definition.properties?.metadata === undefined) continue;
      const kinds = (definition[names.schemaExtensions.groupVersionKind] ?? []) as readonly Kind[];
      for (const { group, version, kind } of kinds) this.#byTitle.set(`${group}/${version} ${kind}`, name);
    }
  }

  has(title: string): boolean {
    return this.#byTitle.has(title);
  }

  /** The definition of a kind with all definitions that it refers to, but for the metadata, which all kinds share. */
  textOf(title: string): string {
    const first = this.#byTitle.get(title) ?? '';
    const shared = this.#definitions[first]?.properties?.metadata?.$ref?.slice(REFERENCE.length) ?? '';
    const found = new Map([[shared, '']]);
    const pending = [first];
    for (const name of pending) {
      if (found.has(name)) continue;
      const text = JSON.stringify(this.#definitions[name]) ?? '';
      found.set(name, text);
      pending.push(...[...text.matchAll(references)].map(([, other = '']) => other));
    }
    return [...found.values()].join();
  }
}
