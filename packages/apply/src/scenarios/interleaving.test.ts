import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MutableJsonObject } from '@orch/machinery/json';
import { seededRandom } from '@orch/machinery/testing';
import { Cluster } from '../testing/cluster.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { ownersOf } from '../testing/scenario.ts';

/**
 * Sixteen writers with mixed verbs on one object, in random order, against a model without tries, schemas or
 * versions: a table of fields with a value and owners each.
 */

const WRITERS = 16;
const STEPS = 120;

/** Fields by name: labels, entries, values of a set, and fields of list items. */
const fieldNames = [
  'label a',
  'label b',
  'label c',
  'data x',
  'data y',
  'tag red',
  'tag blue',
  'item p image',
  'item p args',
  'item q image',
  'item q args',
  'title',
] as const;
type FieldName = (typeof fieldNames)[number];

interface Field {
  value: string;
  readonly owners: Set<string>;
}

/** A partial object of fields: those of items bring the item with them. */
type Part = ReadonlyMap<FieldName, string>;

const isTag = (name: FieldName): boolean => name.startsWith('tag ');
const itemOf = (name: FieldName): string | undefined => /^item (\w)/.exec(name)?.[1];

function objectOf(part: Part, v2: boolean): MutableJsonObject {
  const labels: MutableJsonObject = {};
  const data: MutableJsonObject = {};
  const tags: string[] = [];
  const items = new Map<string, MutableJsonObject>();
  const spec: MutableJsonObject = {};
  for (const [name, value] of part) {
    const [kind, key = '', fieldName = ''] = name.split(' ');
    if (kind === 'label') labels[key] = value;
    else if (kind === 'data') data[key] = value;
    else if (kind === 'tag') tags.push(key);
    else if (kind === 'title') spec[v2 ? 'heading' : 'title'] = value;
    else {
      const item = items.get(key) ?? { name: key };
      item[fieldName] = fieldName === 'args' ? [value] : value;
      items.set(key, item);
    }
  }
  if (Object.keys(data).length > 0) spec['data'] = data;
  if (tags.length > 0) spec['tags'] = tags;
  if (items.size > 0) spec[v2 ? 'units' : 'containers'] = [...items.values()];
  return { metadata: Object.keys(labels).length > 0 ? { labels } : {}, spec };
}

/** The fields that an object has, as the model names them. */
function fieldsIn(object: MutableJsonObject | undefined): Map<FieldName, string> {
  const found = new Map<FieldName, string>();
  const labels = (object?.['metadata'] as MutableJsonObject | undefined)?.['labels'] as
    | MutableJsonObject
    | undefined;
  const spec = (object?.['spec'] ?? {}) as MutableJsonObject;
  for (const [key, value] of Object.entries(labels ?? {}))
    found.set(`label ${key}` as FieldName, String(value));
  for (const [key, value] of Object.entries((spec['data'] ?? {}) as MutableJsonObject)) {
    found.set(`data ${key}` as FieldName, String(value));
  }
  for (const tag of (spec['tags'] ?? []) as string[]) found.set(`tag ${tag}` as FieldName, tag);
  for (const item of (spec['containers'] ?? []) as MutableJsonObject[]) {
    if (item['image'] !== undefined)
      found.set(`item ${item['name']} image` as FieldName, String(item['image']));
    if (item['args'] !== undefined) {
      found.set(`item ${item['name']} args` as FieldName, String((item['args'] as string[])[0]));
    }
  }
  if (spec['title'] !== undefined) found.set('title', String(spec['title']));
  return found;
}

/** The expected ownership, field by field. Items exist for managers that apply a field of them, or that created them. */
class Model {
  readonly fields = new Map<FieldName, Field>();
  /** Appliers and creators by item: without any of them the item is removed, with all its content. */
  readonly items = new Map<string, Set<string>>();

  apply(manager: string, part: Part, force: boolean): boolean {
    const conflicting = [...part].filter(([name, value]) => {
      const field = this.fields.get(name);
      return (
        field !== undefined && field.value !== value && [...field.owners].some((owner) => owner !== manager)
      );
    });
    if (conflicting.length > 0 && !force) return false;
    const wanted = new Set([...part.keys()].map(itemOf));
    for (const [name, field] of [...this.fields]) {
      if (part.has(name) || !field.owners.delete(manager)) continue;
      if (field.owners.size === 0) this.fields.delete(name);
    }
    for (const [item, owners] of [...this.items]) {
      if (wanted.has(item)) owners.add(manager);
      else if (owners.delete(manager) && owners.size === 0) this.#removeItem(item);
    }
    for (const [name, value] of part) this.#set(name, value, manager, true);
    return true;
  }

  #removeItem(item: string): void {
    this.items.delete(item);
    for (const name of fieldNames) if (itemOf(name) === item) this.fields.delete(name);
  }

  #set(name: FieldName, value: string, manager: string, share: boolean): void {
    const item = itemOf(name);
    if (item !== undefined) {
      const owners = this.items.get(item);
      if (owners === undefined) this.items.set(item, new Set([manager]));
      else if (share) owners.add(manager);
    }
    const field = this.fields.get(name);
    if (field === undefined) this.fields.set(name, { value, owners: new Set([manager]) });
    else if (field.value !== value) this.fields.set(name, { value, owners: new Set([manager]) });
    else if (share) field.owners.add(manager);
  }

  /** A whole object written by an update: fields that it lacks are removed, the writer owns those that it changes. */
  update(manager: string, part: Part, itemsLeft: ReadonlySet<string>): void {
    for (const name of [...this.fields.keys()]) if (!part.has(name)) this.fields.delete(name);
    for (const item of [...this.items.keys()]) if (!itemsLeft.has(item)) this.#removeItem(item);
    for (const [name, value] of part) this.#set(name, value, manager, false);
  }
}

const pathOf = (name: FieldName, v2: boolean): string => {
  const [kind, key, fieldName] = name.split(' ');
  const list = v2 ? 'units' : 'containers';
  switch (kind) {
    case 'label':
      return `.metadata.labels.${key}`;
    case 'data':
      return `.data.${key}`;
    case 'tag':
      return `.tags[="${key}"]`;
    case 'title':
      return v2 ? '.heading' : '.title';
    default:
      return `.${list}[name="${key}"].${fieldName}`;
  }
};

/** Owners of every field as the object lists them. */
function listedOwners(cluster: Cluster): Record<string, string[]> {
  const listed: Record<string, string[]> = {};
  for (const [owner, paths] of Object.entries(ownersOf(cluster.live))) {
    const v2 = owner.endsWith('@v2');
    const name = owner.replace('@v2', '');
    for (const field of fieldNames) {
      if (paths.includes(pathOf(field, v2))) listed[field] = [...(listed[field] ?? []), name].sort();
    }
  }
  return listed;
}

function modelOwners(model: Model): Record<string, string[]> {
  const expected: Record<string, string[]> = {};
  for (const [name, { owners }] of model.fields) expected[name] = [...owners].sort();
  return expected;
}

class Writers {
  readonly #random;
  readonly #cluster = new Cluster();
  readonly #model = new Model();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    // At least one field is always owned, so that no apply finds an object without owners.
    this.#cluster.apply('anchor', { metadata: { annotations: { anchor: '1' } } });
  }

  #part(): Part {
    const part = new Map<FieldName, string>();
    const count = this.#random.int(5);
    for (let i = 0; i < count; i++) {
      const name = fieldNames[this.#random.int(fieldNames.length)] ?? 'title';
      part.set(name, isTag(name) ? (name.split(' ')[1] ?? '') : `v${this.#random.int(3)}`);
    }
    return part;
  }

  step(): void {
    const writer = `w${this.#random.int(WRITERS)}`;
    // Appliers keep to the version of their manifests; half of them use each.
    const v2 = Number(writer.slice(1)) % 2 === 1;
    if (this.#random.int(3) > 0) this.#apply(writer, v2);
    else this.#update(writer, v2);
    assert.deepEqual(
      Object.fromEntries(fieldsIn(this.#cluster.live)),
      Object.fromEntries([...this.#model.fields].map(([name, { value }]) => [name, value])),
      'the object has the acknowledged writes',
    );
    assert.deepEqual(listedOwners(this.#cluster), modelOwners(this.#model), 'the owners are right');
    checkInvariants(this.#cluster, false);
  }

  #apply(writer: string, v2: boolean): void {
    const part = this.#part();
    const force = this.#random.int(2) === 0;
    const via = { force, version: v2 ? 'v2' : 'v1' };
    const before = this.#cluster.live;
    const result = this.#cluster.apply(writer, objectOf(part, v2), via);
    const applied = this.#model.apply(writer, part, force);
    assert.equal(result.kind, applied ? 'applied' : 'conflict');
    if (!applied) assert.equal(this.#cluster.live, before, 'a conflict changes nothing');
    else {
      const again = this.#cluster.apply(writer, objectOf(part, v2), via);
      assert.ok(again.kind === 'applied' && !again.changed, 'the same again changes nothing');
    }
  }

  /** Reads the object, changes some fields of it, and writes it as a whole in version 1. */
  #update(writer: string, keepItems: boolean): void {
    const fields = fieldsIn(this.#cluster.live);
    for (const [name, value] of this.#part()) {
      if (this.#random.int(3) === 0) fields.delete(name);
      else fields.set(name, value);
    }
    const next = objectOf(fields, false);
    const items = ((next['spec'] as MutableJsonObject)['containers'] ?? []) as MutableJsonObject[];
    const present = (((this.#cluster.live?.['spec'] ?? {}) as MutableJsonObject)['containers'] ??
      []) as MutableJsonObject[];
    // Items may stay although they lost all their fields.
    const bare = keepItems ? present.filter(({ name }) => !items.some((item) => item['name'] === name)) : [];
    const containers = [...items, ...bare.map(({ name }) => ({ name }))];
    const metadata = {
      ...(this.#cluster.live?.['metadata'] as MutableJsonObject),
      labels: (next['metadata'] as MutableJsonObject)['labels'] ?? {},
    };
    this.#cluster.put(`${writer}`, {
      ...this.#cluster.live,
      metadata,
      spec: { ...(next['spec'] as MutableJsonObject), containers },
    });
    this.#model.update(`${writer}:update`, fields, new Set(containers.map((item) => String(item['name']))));
  }
}

const SEEDS = 10;

describe(`${WRITERS} writers in any order`, () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`seed ${seed}: no write is lost and every field has its owners`, () => {
      const writers = new Writers(seed);
      for (let step = 0; step < STEPS; step++) {
        try {
          writers.step();
        } catch (cause) {
          if (cause instanceof Error) cause.message = `seed ${seed}, step ${step}: ${cause.message}`;
          throw cause;
        }
      }
    });
  }
});
