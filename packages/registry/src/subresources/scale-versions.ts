import type { ApiObject, Names } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { formatLabelSelector, labelSelectorFromMap } from '@orch/machinery/selectors';
import type { StructSchema } from '@orch/schema';
import { selectorFields } from './scale-of.ts';

/** The version of Scale in which admission plugins receive it. */
export const hubScale = { group: 'autoscaling', version: 'v1', kind: 'Scale' } as const;

/** A Scale of the hub version in another version. */
export function scaleFromHub(hub: ApiObject, apiVersion: string, schema: StructSchema): ApiObject {
  const { status, ...rest } = hub;
  const { selector = '', ...others } = isJsonObject(status) ? status : {};
  return {
    ...rest,
    apiVersion,
    ...(status === undefined ? {} : { status: { ...others, ...selectorFields(String(selector), schema) } }),
  };
}

/** A Scale of any version in the hub version. */
export function scaleToHub(scale: ApiObject, names: Names): ApiObject {
  const { status, ...rest } = scale;
  const { selector, targetSelector, ...others } = isJsonObject(status) ? status : {};
  const text = targetSelector ?? (isJsonObject(selector) ? textOf(selector) : selector);
  return {
    ...rest,
    apiVersion: names.apiVersion(hubScale.group, hubScale.version),
    ...(status === undefined
      ? {}
      : { status: { ...others, ...(text === undefined ? {} : { selector: text }) } }),
  };
}

const textOf = (labels: Readonly<Record<string, unknown>>): string =>
  formatLabelSelector(labelSelectorFromMap(labels as Readonly<Record<string, string>>));
