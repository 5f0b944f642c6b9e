import type { ObjectConverter, ResourceType } from '@orch/apis';
import { type ApiObject, errors } from '@orch/machinery';

/** Maximum number of conversions for one piece of work: more than the versions of its objects and their owners need. */
const MAX_CONVERSIONS = 64;

/** Thrown by synchronous code that needs a conversion by a webhook; see `withConversions`. */
export class ConversionNeeded extends Error {
  override readonly name = 'ConversionNeeded';
  readonly converter: ObjectConverter;
  readonly object: ApiObject;
  readonly apiVersion: string;

  constructor(converter: ObjectConverter, object: ApiObject, apiVersion: string) {
    super(`a conversion to ${apiVersion} is needed first`);
    this.converter = converter;
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/**
 * Runs work and, each time that it throws `ConversionNeeded`, makes that conversion and runs it again from its
 * beginning. `work` must therefore have no effects before it returns. Rejects with the `ApiError` of a failed conversion.
 */
export async function withConversions<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  const held: Disposable[] = [];
  try {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ConversionNeeded)) throw error;
        if (held.length === MAX_CONVERSIONS)
          throw errors.internal(error, 'the request needs too many conversions');
        held.push(await error.converter.hold(error.object, error.apiVersion, signal));
      }
    }
  } finally {
    for (const conversion of held) conversion[Symbol.dispose]();
  }
}

/** `withConversions` for kinds that a webhook converts; work on objects of all others is done at once. */
export const whenConverted = <T>(
  { type }: { readonly type: Pick<ResourceType, 'objectConverter'> },
  work: () => T | Promise<T>,
  signal: AbortSignal,
): T | Promise<T> => (type.objectConverter === undefined ? work() : withConversions(work, signal));
