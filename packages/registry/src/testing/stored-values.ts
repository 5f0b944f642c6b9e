import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiObject, namesFor } from '@orch/machinery';
import { cloneJson } from '@orch/machinery/json';
import { arbitraryInput } from '@orch/schema/testing';
import fc from 'fast-check';
import { formsOf, type StoredRow, storedRows } from './stored-rows.ts';

/** An object as an earlier commit stored it. */
export interface StoredValue {
  /** Kind and stored version, as in the keys of `storedRows`. */
  readonly title: string;
  /** Stored as JSON. */
  readonly json: string;
  /** Stored as Protobuf, in base64. */
  readonly protobuf: string;
}

export interface StoredValues {
  /** The commit that wrote them. */
  readonly commit: string;
  readonly values: readonly StoredValue[];
}

export const storedValuesFile = join(import.meta.dirname, 'stored-values.json');

export const readStoredValues = (): StoredValues => JSON.parse(readFileSync(storedValuesFile, 'utf8'));

const SEED = 1;
const SAMPLES = 40;
const MAX_JSON = 1200;

/** One small object of every kind in every stored version, as this version of the program stores it. */
export const newStoredValues = (commit: string): StoredValues => ({
  commit,
  values: [...storedRows()].map(([title, stored]) => ({ title, ...sampleOf(title, stored) })),
});

/** The largest value of at most a small size, among objects with arbitrary fields. */
function sampleOf(title: string, stored: StoredRow): Omit<StoredValue, 'title'> {
  const { row } = stored;
  const [hub] = row.versions;
  if (hub === undefined) throw new Error(`${title} has no version`);
  const { json, protobuf, codecs } = formsOf(stored);
  const apiVersion = namesFor('orch').apiVersion(hub.group ?? row.group, hub.version);
  const found = fc
    .sample(arbitraryInput(hub.schema, 4), { seed: SEED, numRuns: SAMPLES })
    .flatMap((input) => {
      const sent = { ...(input as object), kind: row.kind, apiVersion };
      const object = codecs.compile(hub.schema).decode(sent).value as ApiObject;
      try {
        const asJson = String(json.encode(cloneJson(object)).value);
        const asProtobuf = protobuf.encode(cloneJson(object)).value.toString('base64');
        return asJson.length > MAX_JSON ? [] : [{ json: asJson, protobuf: asProtobuf }];
      } catch {
        // The stored version cannot express the object.
        return [];
      }
    });
  const [largest] = found.toSorted((a, b) => b.json.length - a.json.length);
  if (largest === undefined) throw new Error(`no sample of ${title} is small`);
  return largest;
}
