import { type ApiObject, errors, type Names } from '@orch/machinery';
import { asText } from '@orch/machinery/json';
import type { Column, ExtensionResource } from './extension-api.ts';

const tableVersions = ['v1', 'v1beta1'] as const;

/** The form of a response: objects, or a table in one of its versions. */
export type ResponseForm = 'objects' | (typeof tableVersions)[number];

/** The first form of an Accept field that this server has. Throws for a field without one. */
export function acceptedForm(accept: string | undefined, names: Names): ResponseForm {
  const forms = (accept ?? '*/*').split(',').map((range) => formOf(range, names));
  const first = forms.find((form) => form !== undefined);
  if (first === undefined) throw errors.notAcceptable(['application/json']);
  return first;
}

function formOf(range: string, names: Names): ResponseForm | undefined {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  if (!['', 'application/json', 'application/*', '*/*'].includes(type)) return undefined;
  const { as, g, v } = Object.fromEntries(parameters.map((parameter) => parameter.split('=')));
  if (as === undefined) return 'objects';
  if (as !== 'table' || g !== names.group('meta')) return undefined;
  return tableVersions.find((version) => version === v);
}

interface TableOptions {
  readonly names: Names;
  readonly version: Exclude<ResponseForm, 'objects'>;
  /** `None`, `Metadata` or `Object`: the content of a row besides its cells. */
  readonly include: string;
}

const nameColumn: Column = { name: 'Name', type: 'string', value: ({ metadata }) => asText(metadata.name) };
const createdColumn: Column = {
  name: 'Created At',
  type: 'date',
  value: ({ metadata }) => asText(metadata.creationTimestamp),
};

/** Objects as a table with the columns of their resource. */
export function tableOf(
  { columns = [createdColumn] }: Pick<ExtensionResource, 'columns'>,
  objects: readonly ApiObject[],
  { names, version, include }: TableOptions,
): object {
  const all = [nameColumn, ...columns];
  const apiVersion = `${names.group('meta')}/${version}`;
  return {
    kind: 'Table',
    apiVersion,
    metadata: {},
    columnDefinitions: all.map(({ name, type, description = '', priority = 0 }) => ({
      ...{ name, type, format: name === 'Name' ? 'name' : '', description, priority },
    })),
    rows: objects.map((object) => ({
      cells: all.map(({ value }) => value(object)),
      ...rowObject(object, include, apiVersion),
    })),
  };
}

function rowObject(object: ApiObject, include: string, apiVersion: string): object {
  if (include === 'None') return {};
  if (include === 'Object') return { object };
  return { object: { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata } };
}
