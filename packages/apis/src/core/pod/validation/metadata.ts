import { type ApiObject, type FieldError, fieldError } from '@orch/machinery';
import { asObject, asObjects, asText, type JsonObject, specOf } from '../../../read.ts';
import type { StrategyContext } from '../../../resource-type.ts';

/** What holds for new pods, but not for templates: their spec is checked with its schema. */
export function validatePodCreate(pod: ApiObject, _context: StrategyContext): readonly FieldError[] {
  const spec = specOf(pod);
  return [...noEphemeralContainers(spec), ...checkTokenProjections('spec', spec)];
}

const noEphemeralContainers = (spec: JsonObject): readonly FieldError[] =>
  asObjects(spec['ephemeralContainers']).length === 0
    ? []
    : [fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create')];

/** Without a service account there is nobody a token could be for. */
function checkTokenProjections(path: string, spec: JsonObject): readonly FieldError[] {
  if (asText(spec['serviceAccountName']) !== '') return [];
  return asObjects(spec['volumes']).flatMap((volume, i) =>
    asObjects(asObject(volume['projected'])['sources']).flatMap((source, j) => {
      if (source['serviceAccountToken'] === undefined) return [];
      const at = `${path}.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      return [fieldError.forbidden(at, 'must not be specified when serviceAccountName is not set')];
    }),
  );
}
