import type { Names } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { ApiRequest } from '@orch/request';
import type { DeleteOptions } from './delete-options.ts';
import { queryOf } from './reply.ts';
import { IGNORES_READ_ERRORS } from './unsafe-deletion.ts';

/** The options of a request as an object of their kind, for admission plugins; created on demand. */
export type OptionsObject = () => JsonObject | undefined;

const typeMeta = (kind: string, names: Names): JsonObject => ({
  kind,
  apiVersion: names.apiVersion('meta', 'v1'),
});

/** The options in the query of a request that creates or changes an object. A patch has those of an update. */
export const writeOptionsObject =
  (kind: 'CreateOptions' | 'UpdateOptions', request: ApiRequest, names: Names): OptionsObject =>
  () => {
    const query = queryOf(request);
    const dryRun = query.all('dryRun').filter((value) => value !== '');
    const text = (name: string): JsonObject => {
      const value = query.get(name) ?? '';
      return value === '' ? {} : { [name]: value };
    };
    return {
      ...typeMeta(kind, names),
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...text('fieldManager'),
      ...text('fieldValidation'),
    };
  };

/** The options of a deletion. */
export const deleteOptionsObject =
  (options: DeleteOptions, names: Names): OptionsObject =>
  () => {
    const { gracePeriodSeconds, uid, resourceVersion, propagation, orphanDependents, dryRun } = options;
    const { ignoresReadErrors } = options;
    const preconditions = present({ uid, resourceVersion });
    return {
      ...typeMeta('DeleteOptions', names),
      ...present({
        gracePeriodSeconds,
        preconditions: Object.keys(preconditions).length === 0 ? undefined : preconditions,
        orphanDependents,
        propagationPolicy: propagation,
        dryRun: dryRun ? ['All'] : undefined,
        [IGNORES_READ_ERRORS]: ignoresReadErrors ? true : undefined,
      }),
    };
  };

const present = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
