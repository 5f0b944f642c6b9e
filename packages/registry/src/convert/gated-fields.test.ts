import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  atLeast,
  fieldServedIn,
  gatesOf,
  isPast,
  NEWEST_RELEASE,
  type Release,
  resolveFeatureGates,
} from '@orch/apis';
import { type ApiObject, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { codecCompiler } from '@orch/schema';
import { isUnknown, knownProblems } from '../request/decode-object.ts';
import { firstReleaseOf, type GatedField, gatedFields, sampleOf } from '../testing/gated-fields.ts';
import { type KindCodecs, kindCodecs } from './decoding.ts';

const names = namesFor('orch');
const releases = Array.from({ length: 22 }, (_, index): Release => `1.${15 + index}`);
const fields = gatedFields();

const gatesByRelease = new Map(releases.map((release) => [release, gatesOf(release, names)]));

type GateSetting = 'true' | 'false' | 'default';

/** The codecs of structs in a release whose gates are set; undefined when the release does not have the gate, or locks it. */
function codecsIn(release: Release, gate: string, setting: GateSetting): CodecsOf | undefined {
  const known = gatesByRelease.get(release)?.get(gate);
  if (setting !== 'default' && (known === undefined || known.locked)) return undefined;
  const settings = setting === 'default' ? [] : [`${known?.name}=${setting}`];
  const key = `${release} ${settings.join()}`;
  const made = compiled.get(key) ?? compiledFor(release, settings);
  compiled.set(key, made);
  return made;
}

interface CodecsOf {
  readonly isOpen: (gate: string) => boolean;
  readonly of: (field: GatedField) => KindCodecs;
}

const compiled = new Map<string, CodecsOf>();

function compiledFor(release: Release, settings: readonly string[]): CodecsOf {
  const gates = resolveFeatureGates(settings, release, names);
  const includes = fieldServedIn(release, gates.open, gates.closed);
  const compile = kindCodecs({ names, release, includes }, codecCompiler(names, { includes }));
  return {
    isOpen: (gate) => gates.open.has(gate) || !gates.known.has(gate),
    of: ({ struct }) => compile(struct),
  };
}

const bodyOf = ({ field }: GatedField): ApiObject =>
  ({ [names.field(field.name)]: sampleOf(field.schema) }) as unknown as ApiObject;

const has = (object: unknown, { field }: GatedField): boolean =>
  isJsonObject(object) && Object.hasOwn(object, names.field(field.name));

/** The result of sending a field: in a new object, and in an update of an object without and with it. */
function outcomeOf(field: GatedField, codecs: KindCodecs): Readonly<Record<string, boolean>> {
  const body = bodyOf(field);
  const { value, problems } = codecs.codec.decode(body, { reportUnknown: true });
  const updated = (old: ApiObject): boolean => {
    const { codec, finish } = codecs.forUpdateOf(old);
    const next = codec.decode(body).value;
    finish?.(next);
    return has(next, field);
  };
  return {
    unknown: knownProblems(codecs, body, problems).some(isUnknown),
    stored: has(value, field),
    added: updated({} as ApiObject),
    kept: updated(body),
  };
}

/** Reports whether a field appears, is enabled or ends in a release, or it is the newest. */
const isTurningPoint = (release: Release, field: GatedField): boolean =>
  [firstReleaseOf(field), field.field.since, field.field.until, NEWEST_RELEASE].includes(release);

describe('fields behind a feature gate', () => {
  it('every gated field is in the table of the releases in which fields appeared', () =>
    assert.deepEqual(
      fields.filter((field) => firstReleaseOf(field) === undefined).map(({ title }) => title),
      [],
    ));

  for (const release of releases) {
    for (const setting of ['default', 'true', 'false'] as const) {
      it(`fields that release ${release} does not have are unknown, others follow their gate: ${setting}`, () => {
        for (const field of fields) {
          if (setting !== 'default' && !isTurningPoint(release, field)) continue;
          const codecs = codecsIn(release, field.field.gate, setting);
          if (codecs === undefined) continue;
          const isGone = isPast(field.field, release);
          const isKnown = !isGone && atLeast(release, firstReleaseOf(field));
          const isServed = isKnown && codecs.isOpen(field.field.gate);
          assert.deepEqual(
            outcomeOf(field, codecs.of(field)),
            { unknown: !isKnown, stored: isServed, added: isServed, kept: !isGone },
            field.title,
          );
        }
      });
    }
  }
});
