import { type ApiObject, parseApiVersion } from '@orch/machinery';
import { jsonText } from '@orch/machinery/json';
import { encodeYaml } from '@orch/machinery/yaml';
import { CommandError } from '../command-error.ts';
import { goTemplateText, TemplateError } from '../go-template/index.ts';
import { customColumnText } from './custom-columns.ts';
import { templateJson, templateText } from './json-path-template.ts';
import { encodeKyaml } from './kyaml.ts';
import type { OutputFormat } from './output-format.ts';
import { sortedFields } from './sorted-fields.ts';

/** A format that prints objects, not tables of the server. */
export type ObjectFormat = Exclude<OutputFormat, { kind: 'table' }>;

/** The printed value: one object, or a list of all of them. */
export interface Printed {
  readonly objects: readonly ApiObject[];
  readonly isList: boolean;
  /** Fields of the list other than its items; those of a `List` when absent. */
  readonly list?: { readonly apiVersion: string; readonly kind: string; readonly metadata: object };
}

/** The text of objects. Formats other than `name` and columns print several objects as a `List`. */
export function objectText(format: ObjectFormat, printed: Printed, hasHeader = true): string {
  const { objects, isList, list = plainList } = printed;
  if (format.kind === 'name') return objects.map((object) => `${nameText(object)}\n`).join('');
  if (format.kind === 'columns') return customColumnText(format.columns, objects, hasHeader);
  const value = isList ? { ...list, items: objects } : objects[0];
  switch (format.kind) {
    case 'json':
      return `${jsonText(sortedFields(value), 4)}\n`;
    case 'yaml':
      return encodeYaml(sortedFields(value));
    case 'kyaml':
      return encodeKyaml(sortedFields(value));
    case 'jsonpath':
      return format.asJson
        ? templateJson(format.template, value, format)
        : templateText(format.template, value, format);
    case 'go-template':
      return executed(format, value);
  }
}

function executed(
  { template, source, requiresFields }: Extract<ObjectFormat, { kind: 'go-template' }>,
  value: unknown,
): string {
  try {
    return goTemplateText(template, value, { failsOnMissing: requiresFields });
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw new CommandError(`error executing template ${JSON.stringify(source)}: ${error.message}`, {
      cause: error,
    });
  }
}

const plainList = { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' } };

/** `pod/web`, `deployment.apps/web`. */
export function nameText({ apiVersion = '', kind = '', metadata }: ApiObject): string {
  const group = parseApiVersion(apiVersion)?.group ?? '';
  const suffix = group === '' ? '' : `.${group}`;
  return `${kind.toLowerCase()}${suffix}/${metadata.name ?? ''}`;
}

/** An object without its managed fields, which are rarely of interest. */
export function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Reports whether a format omits managed fields unless they are requested: the formats of whole objects. */
export const hidesManagedFields = ({ kind }: OutputFormat): boolean =>
  kind === 'json' || kind === 'yaml' || kind === 'kyaml';
