import { cloneJson, isJsonObject, type MutableJsonObject } from '@orch/machinery/json';
import {
  annotation,
  chain,
  jsonAnnotation,
  type Lens,
  type LensScope,
  move,
  setAnnotation,
  within,
} from '@orch/schema';
import { hoistIdentical, topLevelFields } from './v1beta1.top-level.ts';

const versionsOf = ({ versions }: MutableJsonObject): readonly MutableJsonObject[] =>
  Array.isArray(versions) ? versions.filter(isJsonObject) : [];

/** Annotation for a field that the hub cannot represent: one that contradicts the versions, which validation refuses. */
const keyOf = ({ names }: LensScope, field: string): string =>
  `${names.annotations.crdTopLevelPrefix}${field.toLowerCase()}`;

const annotate = (scope: LensScope, field: string, value: unknown): void =>
  setAnnotation(scope, keyOf(scope, field), jsonAnnotation.write(value));

/** Removes a value from the annotations that `annotate` set, if it has the right type. */
function takeAnnotated(scope: LensScope, field: string, isRight: (value: unknown) => boolean): unknown {
  const text = annotation(scope, keyOf(scope, field));
  const value = text === undefined ? undefined : jsonAnnotation.read(text);
  if (value === undefined || !isRight(value)) return undefined;
  setAnnotation(scope, keyOf(scope, field), undefined);
  return value;
}

const isSome = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : isJsonObject(value));

/** In the hub, fields that apply to all versions are repeated in each of them. */
const topLevel: Lens = {
  toHub(spec, scope) {
    const versions = versionsOf(spec);
    for (const { top, own } of topLevelFields) {
      const value = spec[top];
      delete spec[top];
      if (value === undefined) continue;
      if (versions.length === 0 || versions.some((version) => version[own] !== undefined)) {
        annotate(scope, top, value);
      } else for (const version of versions) version[own] = cloneJson(value);
    }
  },
  fromHub(spec, scope) {
    for (const { top } of topLevelFields) {
      const value = takeAnnotated(scope, top, isSome);
      if (value !== undefined) spec[top] = value;
    }
    hoistIdentical(spec);
  },
};

/** The older version of the kind has the first version in a separate field. */
const firstVersion: Lens = {
  toHub(spec, scope) {
    const { version } = spec;
    delete spec['version'];
    if (version !== undefined && version !== versionsOf(spec)[0]?.['name'])
      annotate(scope, 'version', version);
  },
  fromHub(spec, scope) {
    const version =
      takeAnnotated(scope, 'version', (value) => typeof value === 'string') ?? versionsOf(spec)[0]?.['name'];
    if (version !== undefined) spec['version'] = version;
  },
};

/** Absent is true in the older version, and false in the hub. */
const unknownFields: Lens = {
  toHub(spec) {
    spec['preserveUnknownFields'] ??= true;
  },
  fromHub(spec) {
    spec['preserveUnknownFields'] ??= false;
  },
};

const conversion: Lens = within(
  'conversion',
  chain(
    move('webhookClientConfig', 'webhook.clientConfig'),
    move('conversionReviewVersions', 'webhook.conversionReviewVersions'),
  ),
);

/**
 * Definitions of custom resources (spec 9.4): fields common to all versions become fields of each version, and some
 * fields are renamed.
 */
export const customResourceDefinitionLens: Lens = within(
  'spec',
  chain(
    within('additionalPrinterColumns[]', move('JSONPath', 'jsonPath')),
    within('versions[].additionalPrinterColumns[]', move('JSONPath', 'jsonPath')),
    conversion,
    unknownFields,
    firstVersion,
    topLevel,
  ),
);
