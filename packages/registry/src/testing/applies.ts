import type { ApiObject } from '@orch/machinery';
import { entriesOf } from '../convert/ownership.ts';
import type { Answered } from './answers.ts';
import { configMap } from './objects.ts';
import type { RegistryFixture } from './registry-fixture.ts';

interface ApplyAs {
  readonly manager?: string;
  readonly query?: string;
  readonly contentType?: string;
}

/** An apply request. */
export const apply = (
  api: RegistryFixture,
  target: string,
  body: unknown,
  { manager = 'tool', query = '', contentType = 'application/apply-patch+yaml' }: ApplyAs = {},
): Promise<Answered> => api.send('PATCH', `${target}?fieldManager=${manager}${query}`, { body, contentType });

export const map = (name: string, data: Record<string, string>): object => configMap(name, data);

/** The field sets of an object by `manager operation subresource`. */
export const owners = ({ metadata }: Pick<ApiObject, 'metadata'>): Record<string, unknown> =>
  Object.fromEntries(
    entriesOf(metadata).map((entry) => [
      [entry['manager'], entry['operation'], entry['subresource'] ?? ''].join(' ').trim(),
      entry['fieldsV1'],
    ]),
  );
