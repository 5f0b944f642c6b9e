import type { OpenWebhook } from '@orch/auth';
import type { ApiObject } from '@orch/machinery';
import { aborted } from '@orch/machinery/concurrency';
import { parseJson } from '@orch/machinery/json';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly ApiObject[];
  };
}

/** `v1` has a number and `v2` its digits. */
export const sizeOf = (object: ApiObject): number => {
  const { size, digits } = (object['spec'] ?? {}) as { size?: number; digits?: string };
  return size ?? Number(digits);
};

export const specOf = (version: string, size: number): object =>
  version === 'v1' ? { size } : { digits: String(size) };

function converted(object: ApiObject, apiVersion: string): ApiObject {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return { ...object, apiVersion, spec: specOf(version, sizeOf(object)) };
}

/** The conversion webhook of a simulation, and how it fails. */
export class ConversionWebhook {
  state: 'works' | 'fails' | 'hangs' | 'changes other fields' = 'works';

  readonly open: OpenWebhook = () => {
    const call = async ({ body }: { readonly body: Buffer }, signal: AbortSignal): Promise<unknown> => {
      if (this.state === 'fails') throw new Error('connection refused');
      if (this.state === 'hangs') {
        await aborted(signal);
        throw signal.reason;
      }
      return this.#answer(parseJson(body) as unknown as Review);
    };
    return Object.assign(call, { [Symbol.dispose]: () => undefined });
  };

  #answer({ apiVersion, kind, request }: Review): object {
    const { uid, objects, desiredAPIVersion } = request;
    const all = objects.map((object) => converted(object, desiredAPIVersion));
    // The server must refuse it: a webhook may change labels and annotations of the metadata only.
    const changed = all.map((object) => ({ ...object, metadata: { ...object.metadata, name: 'another' } }));
    const convertedObjects = this.state === 'works' ? all : changed;
    return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } };
  }
}
