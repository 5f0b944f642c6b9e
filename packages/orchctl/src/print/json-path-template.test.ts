import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseJson } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import { parseJsonPathTemplate, templateJson, templateText } from './json-path-template.ts';

/** A template with its texts: with missing fields allowed, without them, and as JSON; null for an error. */
type Case = readonly [template: string, text: string | null, strict: string | null, json: string | null];

/** The output of the library of kubectl 1.33 for one document. */
const recorded = parseJson(readFileSync(join(import.meta.dirname, 'recorded-json-paths.json'))) as {
  readonly document: unknown;
  readonly cases: readonly Case[];
};

/** Templates that orchctl treats in another way on purpose, with its answer. */
const different: Readonly<Record<string, string | null>> = {
  // JSON has one kind of numbers: a whole number and a fraction compare, and 1000000.0 is 1000000.
  '{.numbers.million}': '1000000',
  '{.items[?(@.spec.ratio==0.25)].metadata.name}': 'a',
  '{.items[?(@.spec.ratio<0.5)].metadata.name}': 'a',
  '{.items[?(@.spec.replicas==3.0)].metadata.name}': 'a',
  '{.items[?(@.spec.replicas==@.spec.ratio)].metadata.name}': 'b',
  // kubectl selects the items that lack the position, too.
  '{.items[?(@.spec.ports[1])].metadata.name}': null,
  // kubectl repeats parts of a template whose ranges are not closed.
  '{range .items[*]}{.metadata.name}:{range .spec.containers[*]}{.name} {end}': null,
};

/** The text, or null for an error that a command reports. */
function answer(print: () => string): string | null {
  try {
    return print();
  } catch (error) {
    assert.ok(error instanceof UsageError || error instanceof CommandError, String(error));
    return null;
  }
}

describe('JSONPath templates compared with those of kubectl', () => {
  const { document, cases } = recorded;
  for (const [template, text, strict, json] of cases)
    it(`the template ${JSON.stringify(template)} prints its recorded answer`, () => {
      const parsed = () => parseJsonPathTemplate(template);
      const own = {
        text: answer(() => templateText(parsed(), document)),
        strict: answer(() => templateText(parsed(), document, { requiresFields: true })),
        json: answer(() => templateJson(parsed(), document)),
      };
      const other = different[template];
      if (other !== undefined) assert.equal(own.text, other);
      else assert.deepEqual(own, { text, strict, json });
    });

  it('differences to kubectl are still differences', () => {
    for (const [template, own] of Object.entries(different))
      assert.notEqual(cases.find(([one]) => one === template)?.[1], own, template);
  });
});
