import { ApiError, type ApiObject } from '@orch/machinery';
import type { Invocation } from '../../cli/command.ts';
import { reportFailure } from '../../cli/report-failure.ts';
import {
  hidesManagedFields,
  type ObjectFormat,
  objectText,
  withoutManagedFields,
} from '../../print/object-text.ts';
import { sortValues } from '../../print/sort-by.ts';
import { allPages } from '../../resources/all-pages.ts';
import type { GetFlags, GetPart, GetRequest } from './request.ts';

/** Prints the objects of all parts in a format other than tables. */
export async function printObjects(
  invocation: Invocation<GetFlags>,
  request: GetRequest,
  format: ObjectFormat,
): Promise<number> {
  const { io, flags } = invocation;
  const objects: ApiObject[] = [];
  const failures: unknown[] = [];
  for (const part of request.parts) await readObjects(invocation, request, part, { objects, failures });
  const shown =
    flags.showManagedFields || !hidesManagedFields(format) ? objects : objects.map(withoutManagedFields);
  const sorted = flags.sortBy === '' ? shown : sortValues(shown, flags.sortBy, (object) => object);
  const isNamed = request.parts.every(({ names }) => names !== undefined);
  const isEmpty = sorted.length === 0 && (isNamed || failures.length > 0);
  if (!isEmpty)
    io.out.write(objectText(format, { objects: sorted, isList: !request.isSingle }, !flags.noHeaders));
  for (const failure of failures) io.err.write(`${reportFailure(failure).text}\n`);
  return failures.length === 0 ? 0 : 1;
}

interface Collected {
  readonly objects: ApiObject[];
  readonly failures: unknown[];
}

async function readObjects(
  { flags, signal }: Invocation<GetFlags>,
  { session }: GetRequest,
  { resource, namespace, names }: GetPart,
  { objects, failures }: Collected,
): Promise<void> {
  const client = session.client.resource(resource, namespace);
  if (names === undefined) {
    const { selector, fieldSelector, chunkSize } = flags;
    const options = {
      ...(selector !== '' && { labelSelector: selector }),
      ...(fieldSelector !== '' && { fieldSelector }),
    };
    const pages = await allPages(chunkSize, (limit) => client.pages({ ...options, ...limit }, signal));
    for (const { items } of pages) for (const item of items) objects.push(item);
  }
  for (const name of names ?? []) {
    try {
      objects.push(
        flags.subresource === ''
          ? await client.get(name, {}, signal)
          : await client.subresource(flags.subresource).get(name, signal),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!(flags.ignoreNotFound && error.status.code === 404)) failures.push(error);
    }
  }
}
