import {
  type Alias,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { exactNumberText, setField } from '../json/index.ts';
import { isNotJson, plainScalar, yamlNumber } from './scalars.ts';

/** Reports a problem at an offset of the text; does not return. */
export type YamlProblem = (problem: string, offset: number, kind?: 'syntax' | 'limit') => never;

export interface ConvertOptions {
  readonly maxDepth: number;
  readonly maxExpandedSize: number;
  readonly onDuplicateKey: (path: string) => void;
  readonly fail: YamlProblem;
}

const TAG = 'tag:yaml.org,2002:';

/** The state of the converter: nesting depth, path for messages, and whether it walks the target of an alias. */
interface Place {
  readonly depth: number;
  readonly path: string;
  readonly aliased: boolean;
}

const offsetOf = (node: Node | null | undefined): number => node?.range?.[0] ?? 0;

/** Turns one composed document, whose scalars are all text, into a JSON value. */
export class YamlConverter {
  readonly #options: ConvertOptions;
  readonly #anchors = new Map<string, Node>();
  readonly #targets = new Map<Alias, Node>();
  /** Ancestors of the current node, to find an anchor that contains itself. */
  readonly #open = new Set<Node>();
  #size = 0;

  constructor(options: ConvertOptions) {
    this.#options = options;
  }

  convert(root: Node | null): unknown {
    return this.#value(root, { depth: 0, path: '', aliased: false });
  }

  #fail(problem: string, node: Node | null | undefined, kind?: 'limit'): never {
    return this.#options.fail(problem, offsetOf(node), kind);
  }

  #charge(node: Node, size: number): void {
    this.#size += size + 8;
    if (this.#size > this.#options.maxExpandedSize) {
      this.#fail(
        `larger than ${this.#options.maxExpandedSize} characters once aliases are expanded`,
        node,
        'limit',
      );
    }
  }

  #value(node: Node | null | undefined, place: Place): unknown {
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.#alias(node, place);
    if (!place.aliased && 'anchor' in node && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isScalar(node)) return this.#scalar(node);
    if (place.depth >= this.#options.maxDepth) {
      this.#fail(`nested more than ${this.#options.maxDepth} levels deep`, node, 'limit');
    }
    this.#charge(node, 0);
    this.#open.add(node);
    const value = isMap(node) ? this.#map(node, place) : this.#sequence(node, place);
    this.#open.delete(node);
    return value;
  }

  /**
   * The node that an alias refers to: the last one before it with that anchor. Found once, when the alias is first met.
   */
  #target(alias: Alias): Node {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source);
    if (target === undefined) this.#fail(`unknown anchor ${JSON.stringify(alias.source)}`, alias);
    this.#targets.set(alias, target);
    if (this.#open.has(target)) this.#fail(`anchor ${JSON.stringify(alias.source)} contains itself`, alias);
    return target;
  }

  #alias(alias: Alias, place: Place): unknown {
    return this.#value(this.#target(alias), { ...place, aliased: true });
  }

  #sequence(node: Node, place: Place): unknown {
    if (!isSeq(node)) this.#fail('unsupported YAML node', node);
    this.#checkTag(node, 'seq');
    return node.items.map((item, i) => {
      const inner = { ...place, depth: place.depth + 1, path: `${place.path}[${i}]` };
      // `[a: b]` is short for a sequence of one-entry mappings.
      if (isPair(item)) this.#fail('a mapping entry cannot stand in a sequence without braces', node);
      return this.#value(item as Node, inner);
    });
  }

  #map(node: YAMLMap, place: Place): Record<string, unknown> {
    this.#checkTag(node, 'map');
    const own: Record<string, unknown> = {};
    const merged: Node[] = [];
    for (const { key, value } of node.items) {
      if (isMergeKey(key)) {
        merged.push((value ?? key) as Node);
        continue;
      }
      const name = this.#key(key as Node | null, node, place);
      const path = place.path === '' ? name : `${place.path}.${name}`;
      if (Object.hasOwn(own, name)) this.#options.onDuplicateKey(path);
      setField(own, name, this.#value(value as Node | null, { ...place, depth: place.depth + 1, path }));
    }
    return merged.length === 0 ? own : this.#merge(own, merged, place);
  }

  /** Entries of the mapping itself come before merged ones, and earlier merged mappings before later ones. */
  #merge(own: Record<string, unknown>, sources: readonly Node[], place: Place): Record<string, unknown> {
    const inner = { ...place, depth: place.depth + 1 };
    const maps = sources.flatMap((source) => {
      const node = isAlias(source) ? this.#target(source) : source;
      return isSeq(node) ? (node.items as Node[]) : [source];
    });
    for (const source of maps) {
      const resolved = isAlias(source) ? this.#target(source) : source;
      if (!isMap(resolved)) this.#fail("'<<' merges a mapping or a sequence of mappings", source);
      const entries = this.#value(source, inner) as Record<string, unknown>;
      for (const name of Object.keys(entries)) {
        if (!Object.hasOwn(own, name)) setField(own, name, entries[name]);
      }
    }
    return own;
  }

  #key(key: Node | null, map: Node, place: Place): string {
    const at = key ?? map;
    const value = key === null ? null : this.#keyValue(key, place);
    if (typeof value === 'string') return value;
    if (typeof value === 'boolean') return String(value);
    const number = exactNumberText(value);
    if (number !== undefined) return number;
    return this.#fail(value === null ? 'a key must not be null' : 'a key must be a scalar', at);
  }

  #keyValue(key: Node, place: Place): unknown {
    const target = isAlias(key) ? this.#target(key) : key;
    return isScalar(target) ? this.#value(key, place) : undefined;
  }

  #checkTag(node: Node, expected: string): void {
    const { tag } = node as { tag?: string };
    if (tag !== undefined && tag !== `${TAG}${expected}` && tag !== '!')
      this.#fail(`unsupported tag ${tag}`, node);
  }

  #scalar(node: Scalar): unknown {
    const text = typeof node.value === 'string' ? node.value : String(node.value ?? '');
    this.#charge(node, text.length);
    const tag = node.tag?.startsWith(TAG) === true ? node.tag.slice(TAG.length) : node.tag;
    if (tag === undefined) {
      if (node.type !== 'PLAIN') return text;
      if (isNotJson(text)) this.#fail(`${text} is not a JSON value`, node);
      return plainScalar(text);
    }
    return this.#tagged(tag, text, node);
  }

  #tagged(tag: string, text: string, node: Scalar): unknown {
    const wrong = (): never =>
      this.#fail(`${JSON.stringify(text.slice(0, 64))} is not of type !!${tag}`, node);
    switch (tag) {
      case 'str':
      case 'timestamp':
      case '!':
        return text;
      case 'int':
      case 'float':
        return yamlNumber(text) ?? wrong();
      case 'bool': {
        const value = plainScalar(text);
        return typeof value === 'boolean' ? value : wrong();
      }
      case 'null':
        return plainScalar(text) === null ? null : wrong();
      default:
        return this.#fail(`unsupported tag ${node.tag}`, node);
    }
  }
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) &&
  key.value === '<<' &&
  ((key.type === 'PLAIN' && key.tag === undefined) || key.tag === `${TAG}merge`);
