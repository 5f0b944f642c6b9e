import type { Naming } from '@orch/machinery';
import { openApi } from '../openapi/documents.ts';
import type { OpenApiInput } from '../openapi/input.ts';
import type { OpenApiDocument } from '../openapi/packed-document.ts';
import { widgetApi } from './widget-api.ts';

export interface Json {
  readonly [field: string]: Json;
}

/** The pieces of a document as a client without gzip receives them; none without a document. */
export async function bodyChunks(document: OpenApiDocument | undefined): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = [];
  if (document !== undefined) for await (const chunk of document.body.chunks) chunks.push(chunk);
  return chunks;
}

/** All bytes of a document; none without one. */
export const wholeBody = async (document: OpenApiDocument | undefined): Promise<Buffer> =>
  Buffer.concat(await bodyChunks(document));

export const parsed = async (document: Promise<OpenApiDocument> | undefined): Promise<Json> =>
  JSON.parse(String(await wholeBody(await document))) as Json;

/** The documents of the widget API. */
export const v2 = (naming?: Naming): Promise<Json> => parsed(openApi(widgetApi(naming)).v2Json());
export const v3 = (path: string, naming?: Naming): Promise<Json> =>
  parsed(openApi(widgetApi(naming)).v3(path));

export const v2Text = async (input: OpenApiInput): Promise<string> =>
  String(await wholeBody(await openApi(input).v2Json()));

/** `method path` → operation. */
export const operationsOf = (document: Json): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== 'parameters')
        .map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
    ),
  );
